# frozen_string_literal: true

# The child records nothing, whatever it loads and however it ends.
Rubric.mark("before") if defined?(Rubric)
[-> { exit }, -> { exit! }, -> { raise "child" }].each do |ends|
  pid = fork do
    $stderr.reopen(File::NULL)
    require "branch"
    ends.call
  end
  Process.wait(pid)
end
require "leaf"
