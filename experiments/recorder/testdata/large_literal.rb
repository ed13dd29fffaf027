# frozen_string_literal: true

eval "BIG = [#{[*1..200_000].join(",")}]"
