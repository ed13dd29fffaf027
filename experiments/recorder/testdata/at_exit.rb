# frozen_string_literal: true

# What is loaded after the program is recorded too: handlers run the last first.
at_exit { require "branch" }
at_exit { at_exit { require "leaf" } }
