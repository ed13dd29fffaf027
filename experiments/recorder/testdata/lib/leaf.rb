# frozen_string_literal: true

module Leaf
  KINDS = [:bud, :stem, :root, :seed].freeze
end
