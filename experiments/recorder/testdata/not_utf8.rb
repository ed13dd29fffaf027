# coding: iso-8859-1
# A source of another encoding, whose file and folder have names that are no UTF-8.
require "tmpdir"
Dir.mktmpdir do |folder|
  below = folder.b << "/d\xe9j\xe0".b
  file = below.b << "/f\xeate.rb".b
  Dir.mkdir(below)
  File.binwrite(file, "# coding: iso-8859-1\nX = \"\xe9t\xe9\"\n".b)
  require file
end
X.encoding == Encoding::ISO_8859_1 || abort
