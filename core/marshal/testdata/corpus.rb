# frozen_string_literal: true

# Prints a line for each value of the corpus: its dump in hexadecimal, a tab, its expression.

require_relative 'classes'

VALUES = <<'END'
nil
true
false
[]
{}
[nil, true, false]
[1, [2, [3, [4, []]]]]
(x = []) << x
[x = [1], x, [x, x]]
Array.new(300) { |i| i }
Array.new(1000)
0.0
-0.0
1.0
-1.5
100.0
1e2
123456.0
1e15
1e16
1e17
123456789012345680.0
12345678901234567890.0
0.1
0.01
0.001
0.0001
0.00012345
1e-4
1e-5
9.999e-5
1e-10
1e22
1e23
1e100
-1e300
1.7976931348623157e308
5e-324
2.2250738585072014e-308
2.225073858507201e-308
1.0 / 3
2.0 / 3
Math::PI
-Math::E * 1e50
Float::EPSILON
Float::INFINITY
-Float::INFINITY
Float::NAN
[1.5, 1.5, x = 1e300, x, 1e300]
[0.0, -0.0, 0.0, -0.0]
1.72723371101889e-77
''
'a'
'a' * 23
'a' * 24
'a' * 300
'é'
'日本語'
"\0"
"a\0b"
''.b
"\xff\xfe".b
(0..255).to_a.pack('C*')
'ascii'.dup.force_encoding('US-ASCII')
"\xff".dup.force_encoding('US-ASCII')
"\xff".dup
[x = 'x', x, 'x']
[x = 'x'.b, x]
ivars(+'x', a: 1)
ivars(+'x', a: 1, b: 'two', c: :three)
ivars('x'.b, a: 1)
ivars('x'.b, a: [1, 2.5])
(x = +'self').instance_variable_set(:@a, x) && x
[ivars(+'', a: 1), ivars(+'', a: 1, b: 2), ivars(+'', a: 1, b: 2, c: 3)]
Name.new('subclass')
ivars(Name.new('subclass'), a: 1)
Name.new('subclass'.b)
[Name.new('a'), Name.new('b')]
:a
:'with space'
:''
:é
"\xff".b.to_sym
["\xff".b.to_sym, :é, "\xff".b.to_sym]
[:a, :b, :a, :b, :c]
[:é, :é, :日本, :E, :é]
[:E, 'x', :E]
['x', :E, :a, 'y', :é]
:"a\0b"
Array.new(200) { |i| :"s#{i}" } * 2
{ 1 => 2 }
{ a: 1, b: 2 }
{ 'a' => 1, 'b' => 'a' }
{ 1.5 => 1, nil => 2, true => 3, [1] => 4 }
{ 2**70 => 1, -2**70 => 2 }
(x = {})[:self] = x
Hash.new(5)
Hash.new('default').merge!(1 => 2)
Hash.new(x = [1]).merge!(1 => x)
(0...100).to_h { |i| [i, i.to_s] }
{ { 1 => 2 } => { 3 => 4 } }
Table[1, 2]
Table.new(7).merge!(1 => 2)
ivars({ 1 => 2 }, a: 3)
ivars(Table.new(0), a: 3)
ivars([1, 2], a: 3)
ivars([], a: [])
ivars([1], a: 1, b: 2, c: 3)
List[1, 2, 3]
List[]
ivars(List[1], a: 2)
[List[1], List[2], Table[], Name.new('')]
Empty.new
Point.new
ivars(Point.new, x: 1, y: 2)
[ivars(Point.new, x: 1, y: 2), ivars(Point.new, x: 3, y: 4)]
[x = ivars(Point.new, x: 1), x]
ivars(x = Point.new, x: x)
ivars(x = Point.new, x: [x, { x => x }])
ivars(Point.new, **(0...50).to_h { |i| [:"v#{i}", i] })
ivars(Point.new, x: 'text', y: :symbol)
ivars(Point.new, x: 1.5, y: nil)
Deep::Name.new
[Deep::Name.new, Deep::Name, Deep::Name.new]
String
[String, String, Array, Hash, Object, Class]
Point
[Point, Point.new, :Point]
UserDefined.new('bytes'.b)
[x = UserDefined.new('bytes'.b), x, UserDefined.new('more'.b)]
[UserDefined.new(''.b), x = 'x', x]
UserText.new('text')
UserText.new(ivars(+'text', a: 1, b: 'two'))
[x = UserText.new('text'), x, 'y', y = 'z', y]
[x = UserText.new(ivars(+'text', a: y = 'shared')), y, x]
UserMarshal.new
UserMarshal.new([1, 'two', 3.0])
(x = UserMarshal.new).data = [x, x]
[x = UserMarshal.new(y = [1]), y, x]
UserMarshal.new([UserMarshal.new(UserDefined.new('inner'.b))])
Time.at(0).utc
Time.at(0)
Time.at(1_700_000_000)
Time.at(1_700_000_000).utc
Time.at(1_720_000_000)
Time.at(-1)
Time.at(-1, 500, :millisecond).utc
Time.at(0, 1, :nsec)
Time.at(0, 5, :nsec).utc
Time.at(0, 120, :nsec).utc
Time.at(0, 200, :nsec).utc
Time.at(0, 999_999_999, :nsec).utc
Time.at(0, 1_000, :nsec).utc
Time.at(0, 123_456, :usec).utc
Time.at(0, 123_456_789, :nsec)
Time.at(Rational(1, 3))
Time.at(Rational(1, 3000)).utc
Time.at(Rational(22, 7), in: '+09:00')
Time.at(0, in: '+09:00')
Time.at(0, in: '-09:30')
Time.at(0, in: '+00:00:01')
Time.at(0, in: 'Z')
Time.at(0, in: '-00:00')
Time.at(0, in: 'A')
Time.new(2000, 1, 1, 0, 0, 0, '+01:30:30')
Time.utc(1900)
Time.utc(1899, 12, 31, 23, 59, 59)
Time.utc(1800)
Time.utc(1)
Time.utc(0)
Time.utc(-1)
Time.utc(-5000, 2, 28)
Time.utc(9999, 12, 31, 23, 59, 59)
Time.utc(67_434)
Time.utc(67_435)
Time.utc(67_436)
Time.utc(70_000)
Time.utc(100_000, 2, 29)
Time.utc(1_000_000_000, 6, 15)
Time.utc(2000, 2, 29)
Time.utc(2024, 12, 31, 23, 59, 59)
[x = Time.at(0).utc, x]
[Time.at(0).utc, Time.at(1).utc]
[Time.at(0), Time.at(1), Time.at(1_720_000_000)]
[Time.at(0).utc, Time.at(0, 5, :nsec), Time.at(0, in: '+01:00')]
ivars(Time.at(0).utc, a: 'x')
ivars(Time.at(0, 5, :nsec), a: 1, b: 2)
[ivars(Time.at(0), a: x = 'shared'), x]
{ Time.at(0).utc => Time.at(1).utc }
ivars(Point.new, x: Time.at(0).utc, y: [Time.at(0).utc])
[2**40, 2**40, x = 'a', x]
[x = 2**70, x, 2**70, y = 'a', y]
[2**40, x = 2**70, 2**41, x]
[1, 1.5, 2**62, 'x', :y, nil, [1.5, 2**62]]
Array.new(130) { |i| 'same' } + [1.5]
Array.new(300) { |i| i.to_f }
(x = Array.new(300) { |i| +"s#{i}" }) + x
(x = [+'a', { b: 1 }, Point.new]) + x + [x]
(0...50).inject([]) { |x, _| [x] }
(0...50).inject({}) { |x, i| { i => x } }
(0...50).inject(nil) { |x, _| ivars(Point.new, x: x) }
3000.times.inject([]) { |x, _| [x] }
END

lines = VALUES.lines(chomp: true)
# Integers around every power of two and every length that the format tells apart.
[*0..10, *14..17, *23..25, *29..33, 47, 48, *61..65, 80, 127, 128, 1000].each do |bits|
  power = "2**#{bits}"
  lines << "[#{power} - 1, #{power}, #{power} + 1, -#{power} - 1, -#{power}, 1 - #{power}]"
end
[*-125..-122, -6, -5, -4, 4, 5, 6, *121..124, 255, 256, 257].each { |n| lines << n.to_s }
lines.each do |line|
  value = eval(line)
  dump = Marshal.dump(value)
  again = Marshal.dump(Marshal.load(dump))
  abort "ruby does not give its own dump back: #{line}" unless again == dump
  puts "#{dump.unpack1('H*')}\t#{line}"
end
