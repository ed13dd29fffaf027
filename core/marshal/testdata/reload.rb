# frozen_string_literal: true

# Reads dumps, one a line in hexadecimal; prints what ruby dumps after loading each.

require_relative 'classes'

$stdin.each_line(chomp: true) do |line|
  puts Marshal.dump(Marshal.load([line].pack('H*'))).unpack1('H*')
rescue StandardError => e
  puts "#{e.class}: #{e.message.dump}"
end
