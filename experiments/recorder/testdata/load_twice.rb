# frozen_string_literal: true

$VERBOSE = nil
2.times { load "leaf.rb" }
load "leaf.rb", true
