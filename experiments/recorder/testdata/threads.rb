# frozen_string_literal: true

# Four threads require at once; one of them what another is loading.
%w[leaf branch set leaf].map { |name| Thread.new { require name } }.each(&:join)
