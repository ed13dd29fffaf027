# frozen_string_literal: true

# Symbols with NUL, of no encoding's text, long ones, and some that die.
KEEP = [:"a\0b", "\xff\xfe".b.to_sym, ("long" * 1000).to_sym] +
       (1..100).map { |n| "kept #{n}".to_sym }
1000.times { |n| "dies #{n}".to_sym }
