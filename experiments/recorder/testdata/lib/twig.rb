# frozen_string_literal: true

class Tree
  class Twig; end
end
