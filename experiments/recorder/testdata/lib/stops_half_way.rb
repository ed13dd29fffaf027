# frozen_string_literal: true

require "leaf"
raise "half way"
