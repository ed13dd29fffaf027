# frozen_string_literal: true

module Louder
  refine(String) { def shout = "#{upcase}!" }
end
using Louder
"quiet".shout == "QUIET!" || abort
