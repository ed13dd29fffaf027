# frozen_string_literal: true

# A file that raises in the middle is not provided, and is loaded again.
2.times do
  require "stops_half_way"
rescue RuntimeError => error
  error.message == "half way" || abort
end
