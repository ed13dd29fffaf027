# frozen_string_literal: true

begin
  require "is_no_ruby"
rescue SyntaxError, LoadError => error
  error.is_a?(SyntaxError) || abort
end
