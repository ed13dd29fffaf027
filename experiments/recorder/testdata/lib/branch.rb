# frozen_string_literal: true

require "leaf"
require_relative "leaf"

class Branch; end
