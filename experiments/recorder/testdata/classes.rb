# frozen_string_literal: true

# Anonymous classes, singletons, ivars of objects of all types.
KEEP = Array.new(5) do |n|
  klass = Class.new { def initialize(a: 1, b: 2) = (@a, @b = a, b) }
  object = klass.new
  object.singleton_class.attr_accessor :own
  object.own = n
  all = [object, String.new("with ivars"), [n], {n => n}, Thread::Mutex.new]
  all.each { |each| each.instance_variable_set(:@note, n) }
end
