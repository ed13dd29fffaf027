# frozen_string_literal: true

# Counts that are known: 1,000, 2,000, 3 and 10 of the lengths 2, 3, 4 and 5; a
# value that nobody uses is compiled away.
1000.times { [1, :two] }
counter = 0
while (counter += 1) <= 2000
  ["a", "b", counter ? 1 : 2]
  kept = [nil, true, 1.5]
end
def four = [1, 2, 3, 4]
3.times { four }
[[0, 0, 0, 0, 0, 0], 1].each { |_| 5.times { [1, 2, 3, 4, 5] } }
