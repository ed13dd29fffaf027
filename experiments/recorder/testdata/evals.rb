# frozen_string_literal: true

3.times { |n| eval "def made_#{n} = [1, 2, 3, :made]" }
Class.new.class_eval "attr_reader :made; def self.at = __FILE__", "somewhere.erb", 7
binding.eval "made_0; made_1"
self.class.define_method(:defined) { |a = [1, 2, 3, 4]| a }
defined
