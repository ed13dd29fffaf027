# frozen_string_literal: true

# The classes that the tests' dumps name, as marshal_vm.h defines them.

class Point; end
class Empty; end
class Name < String; end
class List < Array; end
class Table < Hash; end

module Deep
  class Name; end
end

# Dumped as the String it holds, without an encoding.
class UserDefined
  attr_reader :data

  def initialize(data) = @data = data
  def _dump(_limit) = @data
  def self._load(data) = new(data)
end

# The same; its String has an encoding and maybe ivars.
class UserText < UserDefined; end

# Dumped as the object it holds.
class UserMarshal
  attr_accessor :data

  def initialize(data = nil) = @data = data
  def marshal_dump = @data
  def marshal_load(data) = @data = data
end

# Sets ivars in this order and gives the object back.
def ivars(object, **values)
  values.each { |name, value| object.instance_variable_set("@#{name}", value) }
  object
end

# ruby 3.1 dumps ivars in the order in which their class first met their names: String meets them
# here.
ivars(+'', a: nil, b: nil, c: nil)
ENV['TZ'] = 'America/New_York'
Marshal.dump(Time.at(0, 123_456_789, :nsec))
