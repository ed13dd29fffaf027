# frozen_string_literal: true

require "leaf"
Process.kill(:TERM, Process.pid)
sleep
