# frozen_string_literal: true

autoload :Leaf, "leaf"

class Tree
  autoload :Branch, "branch"
  autoload :Twig, "twig"
end

Tree.autoload?(:Branch) || abort("not declared")
Tree::Twig
Leaf::KINDS.each { |kind| kind.to_s }
