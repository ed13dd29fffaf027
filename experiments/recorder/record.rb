# frozen_string_literal: true

# Records what a Ruby program does to the runtime's tables, arrays, ivars and features, so that
# Rubric can replay it.
#
#   ruby -r ./record.rb app.rb            writes app.workload.gz when the program ends
#   RUBRIC_OUT=FILE                       names the file
#   RUBRIC_TEXT=1                         keeps the contents of strings and the names of files
#   Rubric.mark("name")                   takes a census of what lives now, as the start and exit do
#
# Needs a stock Ruby, 3.1 or newer. The format is documented in experiments/workloads/README.md,
# what this cannot see in README.md beside it.

require "coverage"
require "monitor"
require "objspace"
require "zlib"

module Rubric
  # One workload file that is being written, line by line.
  class WorkloadFile
    def initialize(path)
      @path = path
      @partial = "#{path}.partial-#{Process.pid}"
      file = File.open(@partial, "wb")
      file.sync = true # else a forked child would write what is left in its copy of the buffer
      @gzip = Zlib::GzipWriter.new(file, Zlib::BEST_SPEED)
      @crc = 0
      @lines = 0
    end

    attr_reader :path, :partial, :lines
    def <<(line)
      line = "#{line}\n"
      @crc = Zlib.crc32(line, @crc)
      @lines += 1
      @gzip.write(line)
    end

    # The file appears under its name only once it is whole.
    def finish
      @gzip.write(format(%({"op":"end","lines":%d,"crc32":"%08x"}\n), @lines, @crc))
      @gzip.close
      File.rename(@partial, @path)
    end

    def abandon
      @gzip.close
    ensure
      File.unlink(@partial) if File.exist?(@partial)
    end
  end

  # Strings as ids. Keys are hashes of contents, not the strings themselves: so recording neither
  # keeps a program's strings alive nor adds slots to its heap. (Two of a million strings would
  # share one of 62 bits with 1 in 10^7.)
  class Names
    ENCODINGS = {Encoding::UTF_8 => "u", Encoding::US_ASCII => "a"}.freeze
    ALPHABET = [*"0".."9", *"a".."z"].join.freeze
    WIDE = (ALPHABET + [*"A".."Z"].join + "_-+=,;@#%&()[]{}!$^").freeze
    def initialize(keep_text)
      @keep_text = keep_text
      @ids = {}
      @count = 0
      @pending = []
      @stems = {}
      @stems_of_length = Hash.new(0)
    end

    def key(string) = string.hash ^ (ENCODINGS[string.encoding] || "b").ord

    # The id of a string; as a path, its components renamed, where contents are withheld.
    def id(string)
      @ids[key(string)] ||= define(string)
    end

    # The id of the string that a key of key() stands for; nil if it has none.
    def known(key) = @ids[key]

    # Defines a string of which nothing is known but its length.
    def anonymous(length)
      @pending << "[#{length},\"b\"]"
      (@count += 1) - 1
    end

    # Definitions since the last call, as a line; nil if there are none.
    def take_pending
      return if @pending.empty?
      line = %({"op":"strings","list":[#{@pending.join(",")}]})
      @pending.clear
      line
    end

    # `path` with each component renamed to one of equal length; "." and "..", ".rb" and ".so" stay.
    def renamed(path)
      return path if @keep_text
      path.b.split("/", -1).map { |component| rename(component) }.join("/")
    end

    def json(text)
      text = text.dup.force_encoding(Encoding::UTF_8)
      return %({"hex":"#{text.unpack1("H*")}"}) unless text.valid_encoding?
      %("#{text.gsub(/["\\\x00-\x1f\x7f]/) { |c| format('\\u%04x', c.ord) }}")
    end

    private
    def define(string)
      @pending << element(string)
      (@count += 1) - 1
    end

    def element(string)
      encoding = ENCODINGS[string.encoding] || "b"
      if @keep_text
        text = json(string)
        return text.sub(/}\z/, %(,"enc":"#{encoding}"})) if text.start_with?("{")
        return encoding == "u" ? text : %([#{text},"#{encoding}"])
      end
      if path?(string)
        text = json(renamed(string))
        return encoding == "u" ? text : %([#{text},"#{encoding}"])
      end
      encoding == "u" ? string.bytesize.to_s : %([#{string.bytesize},"#{encoding}"])
    end

    # Contents that look like no path are not renamed but withheld.
    def path?(string)
      string.bytesize.between?(4, 4096) && string.include?("/") && !string.b.match?(/[\x00-\x20]/n)
    rescue ArgumentError, Encoding::CompatibilityError
      false
    end

    def rename(component)
      return component if ["", ".", "..", "~"].include?(component)
      stem, extension = component.match(/\A(.+?)(\.rb|\.so)?\z/mn).captures
      (@stems[stem.hash] ||= fresh(stem.bytesize)).to_s + extension.to_s
    end

    # The next name of this length, in digits of base 36, or of a wider alphabet where those are
    # used up.
    def fresh(length)
      n = @stems_of_length[length]
      @stems_of_length[length] += 1
      alphabet = length < 4 && n >= ALPHABET.size**length ? WIDE : ALPHABET
      digits = +""
      length.times do
        digits << alphabet[n % alphabet.size]
        n /= alphabet.size
      end
      digits.reverse
    end
  end

  # What a file's instruction sequences intern, and their array literals.
  class CodeReader
    FORMAT = "YARVInstructionSequence/SimpleDataFormat"
    KINDS = {top: "t", main: "t", method: "m", block: "b", class: "c"}.freeze
    # Opcodes whose operands are places in the code, which to_a writes as symbols.
    JUMPS = %i[jump branchif branchunless branchnil opt_getinlinecache].freeze
    def initialize(names, census)
      @names = names
      @census = census
      @static = {}.compare_by_identity # symbol -> what the list of names has for it
    end

    # literals: how many array literals there were. dynamic: ids of T_SYMBOLs that no line named
    # before.
    attr_reader :literals, :dynamic

    # The iseqs of `code`, as JSON, parents before children.
    def read(code)
      @out = []
      @literals = 0
      @dynamic = []
      walk(code, -1)
      "[#{@out.join(",")}]"
    end

    private
    def walk(code, parent)
      index = @out.size
      @out << nil
      found = []
      literals = []
      ivars = nil
      words = 0
      lines = 0
      name(found, code[5])
      # A local variable without a name is an Integer.
      code[10].each { |local| symbol(found, local) if local.is_a?(Symbol) }
      # In the order of RubyVM::InstructionSequence#each_child, so that both number iseqs alike. A
      # block that may break is in the table of catches and in the code.
      walked = nil
      code[12].each { |entry| child(entry[1], index, walked ||= {}) if entry[1].is_a?(Array) }
      static = @static
      code[13].each do |item|
        if Array === item
          opcode = item[0]
          words += size = item.size
          next if size == 1
          first = item[1]
          # What most instructions have needs no call here: this runs for each instruction of the
          # program.
          if size == 2 && (Integer === first || nil == first) then next
          elsif opcode == :opt_send_without_block
            found << (static[first[:mid]] || 2 * symbol_id(first[:mid]))
            first[:kw_arg]&.each { |each| symbol(found, each) }
          else
            if opcode == :duparray
              literals << "[#{first.size},\"#{kinds(first)}\"]"
            elsif opcode == :setinstancevariable then (ivars ||= {})[first] = true
            end
            instruction(found, item, index, walked)
          end
        elsif Integer === item then lines += 1
        end
      end
      @literals += literals.size
      ivars = ivars ? ivars.keys.map { |ivar| @names.id(ivar.name) }.join(",") : ""
      @out[index] = %(["#{KINDS[code[9]] || "o"}",#{parent},#{@names.id(code[5])},#{words},#{lines},[#{found.join(",")}],) +
                    "[#{literals.join(",")}],[#{ivars}]]"
    end

    def child(code, parent, walked)
      return walk(code, parent) unless walked
      walk(code, parent) unless walked.key?(code[4])
      walked[code[4]] = true
    end

    def instruction(found, item, index, walked)
      at = 1
      size = item.size
      while at < size
        operand = item[at]
        at += 1
        if Symbol === operand then symbol(found, operand) unless JUMPS.include?(item[0])
        elsif Hash === operand
          # A `super` that ran names its method, as none does when it is compiled.
          call(found, item[0] == :invokesuper ? operand.except(:mid) : operand, index, walked)
        elsif Array === operand && item[0] == :opt_case_dispatch
          # A table of values and places.
          operand.each_slice(2) { |value, _| operand(found, value, index, walked) }
        elsif String === operand || Array === operand then operand(found, operand, index, walked)
        end
      end
    end

    # What a call site names, or the contents of a literal Hash.
    def call(found, hash, index, walked)
      if hash.key?(:flag)
        symbol(found, hash[:mid]) if hash[:mid]
        hash[:kw_arg]&.each { |each| symbol(found, each) }
      else
        hash.each do |key, value|
          operand(found, key, index, walked)
          operand(found, value, index, walked)
        end
      end
    end

    def operand(found, operand, index, walked)
      case operand
      when Symbol then symbol(found, operand)
      when String then name(found, operand)
      when Hash then call(found, operand, index, walked)
      when Array
        return child(operand, index, walked) if operand[0] == FORMAT
        operand.each { |each| operand(found, each, index, walked) }
      end
    end

    def symbol(found, symbol)
      found << (@static[symbol] || 2 * symbol_id(symbol))
    end

    # Static symbols live for ever, so they can be kept; others are looked up each time.
    def symbol_id(symbol)
      id = @names.id(symbol.name)
      is_first = @census.saw_symbol(symbol)
      if Census.dynamic?(symbol) then @dynamic << id if is_first
      else @static[symbol] = 2 * id
      end
      id
    end

    def name(found, string)
      key = @names.key(string)
      @census.saw_fstring(key)
      found << 2 * (@names.known(key) || @names.id(string)) + 1
    end

    # Kinds of elements, run-length coded.
    def kinds(elements)
      elements.chunk_while { |a, b| kind(a) == kind(b) }.map { |run| "#{kind(run[0])}#{run.size}" }.join
    end

    def kind(element)
      case element
      when Integer then "i"
      when Float then "f"
      when String then "s"
      when Symbol then "y"
      when nil, true, false then "n"
      when Array then "a"
      else "o"
      end
    end
  end

  # Where a file's array literals are, and its line events: what must be known before the file runs.
  class LiteralFinder
    # line: of the line event before the literal in its iseq; where there is none, event is what
    # happens as often as the iseq runs, and exact says whether the literal is evaluated each time.
    Site = Struct.new(:iseq_index, :line, :event, :exact)
    EVENTS = {method: :call, block: :b_call, class: :class}.freeze
    VALUE = /["':\d-]|nil\b|true\b|false\b/n.freeze
    SOURCES = [
      /%[wWiI]\W/n, /\[\s*(?:#[^\n]*\n\s*)*(?:#{VALUE}|[+%?\/\[]|__)(?<![\w)\]}?"']\[.)/n,
      /=\s*(?:#{VALUE})[^\n]{0,200},/n, /(?:return|break|next) +(?:#{VALUE})[^\n]{0,200},/n
    ].freeze

    # Whether this source may have array literals; a few that have some look as if they had none.
    def self.possible?(source) = SOURCES.any? { |pattern| source.b.match?(pattern) }

    attr_reader :sites

    # Indices of the iseqs that have a line event at `line`, once an event.
    def events_at(line) = @events.each_slice(2).filter_map { |at, index| index if at == line }

    def find(code)
      @sites = []
      @events = []
      @iseqs = 0
      walk(code)
      # As literals are numbered: an iseq's before its children's.
      @sites = @sites.each_with_index.sort_by { |site, at| [site.iseq_index, at] }.map(&:first)
      self
    end

    private

    # Numbers iseqs as CodeReader does.
    def walk(code)
      index = @iseqs
      @iseqs += 1
      line = code[8]
      event_line = own_sites = walked = nil
      code[12].each { |entry| child(entry[1], walked ||= {}) if Array === entry[1] }
      code[13].each do |item|
        if Array === item
          if item[0] == :duparray
            @sites << site = Site.new(index, event_line, EVENTS[code[9]], true)
            (own_sites ||= []) << site unless event_line
          elsif Array === item[1] then child(item[1], walked)
          elsif Array === item[2] then child(item[2], walked)
          end
        elsif Integer === item then line = item
        elsif item == :RUBY_EVENT_LINE
          event_line = line
          @events << line << index
        end
      end
      # A default of a parameter, before the body: it may have been given.
      own_sites&.each { |site| site.exact = event_line.nil? }
    end

    def child(code, walked)
      return unless code[0] == CodeReader::FORMAT
      return walk(code) unless walked

      walk(code) unless walked.key?(code[4])
      walked[code[4]] = true
    end
  end

  # How often each array literal was evaluated. Coverage counts lines; where a line has more than
  # one place at which the count goes up, a TracePoint counts those of the literal's own instruction
  # sequence.
  class LiteralCounts
    def initialize
      @sites = [] # literal -> [how, …, times told]
      @main_path = File.expand_path($PROGRAM_NAME) # as feature_path has it, if it is absolute
      @main_real_path = File.exist?(@main_path) ? File.realpath(@main_path) : @main_path
      @counted = Coverage.running? ? :elsewhere : :here
      Coverage.start(lines: true) if @counted == :here
    end

    attr_reader :counted

    # How the literals of one code are counted from now on; nothing but Coverage counts them if iseq
    # is nil.
    def ways(file, iseq, finder)
      # Coverage leaves out the program's main file, and what comes from a cache of instruction
      # sequences, as bootsnap's.
      covered = @counted == :here && file && @main_path != file && @main_real_path != file &&
                !RubyVM::InstructionSequence.respond_to?(:load_iseq)
      iseqs = nil
      traced = {}
      finder.sites.map do |site|
        events = site.line ? finder.events_at(site.line) : []
        if covered && events.size == 1 then [:line, file, site.line, 0]
        elsif !iseq || events.empty? && !site.event then [:unknown, nil, nil, 0]
        else
          iseqs ||= flatten(iseq, [])
          trace(iseqs, site, events.uniq, traced)
        end
      end
    end

    # Numbers these literals, the next ones of the workload.
    def add(ways) = @sites.concat(ways)

    # [[literal, times, how], …] since the last call.
    def take
      lines = @counted == :here ? Coverage.peek_result : {}
      @sites.each_with_index.filter_map do |site, literal|
        total = total(site, lines)
        times = total - site[-1]
        site[-1] = total
        [literal, times, %i[line traced].include?(site[0]) ? 0 : 1] if times.positive?
      end
    end

    private
    def total(site, lines)
      case site[0]
      when :line then lines.dig(site[1], :lines, site[2] - 1) || 0
      when :traced, :called then site[1][0] - site[2].sum { |counter| counter[0] }
      else 1 # nothing happens there that can be counted
      end
    end

    def flatten(iseq, list)
      list << iseq
      iseq.each_child { |child| flatten(child, list) }
      list
    end

    # An iseq's line events count those of the iseqs within it too: they are counted apart and taken
    # off.
    def trace(iseqs, site, on_line, traced)
      within = flatten(iseqs[site.iseq_index], []).size - 1
      inner = on_line.select { |index| index > site.iseq_index && index <= site.iseq_index + within }
      counters = [site.iseq_index, *outermost(inner, iseqs)].map do |index|
        traced[[index, site.line]] ||= [0].tap { |counter| count(counter, iseqs[index], site) }
      end
      [site.line || site.exact ? :traced : :called, counters[0], counters[1..], 0]
    rescue ArgumentError
      [:unknown, nil, nil, 0]
    end

    def count(counter, iseq, site)
      return TracePoint.new(:line) { counter[0] += 1 }.enable(target: iseq, target_line: site.line) if site.line
      TracePoint.new(site.event) { counter[0] += 1 }.enable(target: iseq)
    end

    # Of `indices`, those that lie in no other of them.
    def outermost(indices, iseqs)
      last = -1
      indices.sort.select do |index|
        next false if index <= last
        last = index + flatten(iseqs[index], []).size - 1
        true
      end
    end
  end

  # What lives, told by ObjectSpace.dump_all after a full collection.
  class Census
    IVARS = Kernel.instance_method(:instance_variables)
    CLASS = Kernel.instance_method(:class)
    NAME = Module.instance_method(:name)
    # A file beside `scratch` holds the heap's dump for a moment.
    def initialize(names, scratch)
      @names = names
      @scratch = scratch
      @symbols = {}  # keys of those that a line named, or that were alive at the last mark
      @fstrings = {} # likewise
    end

    # Whether a symbol is a T_SYMBOL, which may be collected.
    def self.dynamic?(symbol) = ObjectSpace.dump(symbol).include?(%("address"))

    # A line names these, the first by its key. saw_symbol: true iff none named it before.
    def saw_fstring(key) = @fstrings[key] = true

    def saw_symbol(symbol)
      key = @names.key(symbol.name)
      @symbols.key?(key) ? false : @symbols[key] = true
    end

    # Slots by type that a full collection frees.
    def count_garbage
      before = ObjectSpace.count_objects
      GC.start
      after = ObjectSpace.count_objects
      before.to_h { |type, count| [type.to_s, count - after.fetch(type, 0)] }
            .select { |type, count| type.start_with?("T_") && count.positive? }
    end

    # The fields of a mark, as JSON.
    def take(garbage, collections)
      GC.start
      read_dump
      fields = {
        "slots" => json_of(@slots), "garbage" => json_of(garbage), "gc" => "[#{collections.join(",")}]",
        "features" => $LOADED_FEATURES.size.to_s, "symbols" => symbols, "fstrings" => fstrings,
        "strings" => triples(@strings), "arrays" => triples(@arrays),
        "hashes" => @hashes.sort.map { |size, count| "[#{size},#{count}]" }.then { |all| "[#{all.join(",")}]" },
        "iseqs" => @iseqs.to_s
      }.merge(ivars)
      fields.map { |name, json| %("#{name}":#{json}) }.join(",")
    end

    private
    def read_dump
      @slots = Hash.new(0)
      @strings = Hash.new { |hash, length| hash[length] = [0, 0] }
      @arrays = Hash.new { |hash, length| hash[length] = [0, 0] }
      @hashes = Hash.new(0)
      @iseqs = 0
      @alive_fstrings = {}
      @textless = {}
      @alive_dynamic = {}
      File.open("#{@scratch}.heap", "wb+") do |file|
        File.unlink(file.path)
        ObjectSpace.dump_all(output: file)
        file.rewind
        file.binmode
        file.each_line { |line| slot(line) }
      end
      leave_out_coverage
    end

    # Coverage keeps, for each file, an array of as many elements as it has lines, in an array of
    # two.
    def leave_out_coverage
      return unless Coverage.running?
      Coverage.peek_result.each_value do |file|
        lines = file.is_a?(Hash) ? file[:lines] : file
        [lines&.size, 2].compact.each do |length|
          next unless @arrays.key?(length) && @arrays[length][0].positive?
          @arrays[length][0] -= 1
          @slots["T_ARRAY"] -= 1
        end
      end
    end

    def symbol_key(value)
      name = unescape(value)
      name.force_encoding(name.ascii_only? ? Encoding::US_ASCII : Encoding::UTF_8)
      @names.key(name)
    end

    def slot(line)
      type = line[/"type":"([A-Z]+)"/, 1]
      return if type == "ROOT"
      @slots["T_#{type}"] += 1
      case type
      when "STRING"
        if line.include?(%("fstring":true)) then fstring(line)
        else tally(@strings, line[/"bytesize":(\d+)/, 1].to_i, line)
        end
      when "ARRAY" then tally(@arrays, line[/"length":(\d+)/, 1].to_i, line)
      when "SYMBOL"
        value = line[/"value":"((?:[^"\\]|\\.)*)"/, 1]
        @alive_dynamic[symbol_key(value)] = true if value
      when "HASH" then @hashes[line[/"size":(\d+)/, 1].to_i] += 1
      when "IMEMO" then @iseqs += 1 if line.include?(%("imemo_type":"iseq"))
      end
    end

    def tally(counts, length, line)
      counts[length][0] += 1
      counts[length][1] += 1 if line.include?(%("shared":true))
    end

    # The dump leaves out the bytes of a string that are no text: then all that is known is the
    # length.
    def fstring(line)
      text = line[/"value":"((?:[^"\\]|\\.)*)"/, 1]
      length = line[/"bytesize":(\d+)/, 1].to_i
      if text.nil?
        key = [line[/"address":"([^"]*)"/, 1], length].hash
        @anonymous ||= {}
        @anonymous[key] ||= @names.anonymous(length)
        (@textless[length] ||= []) << key
      else
        encoding = line[/"encoding":"([^"]*)"/, 1]
        string = unescape(text).force_encoding(encoding ? Encoding.find(encoding) : Encoding::BINARY)
        key = @names.key(string)
        @names.id(string)
      end
      @alive_fstrings[key] = true
    end

    UNESCAPED = {"n" => "\n", "t" => "\t", "r" => "\r", "f" => "\f", "b" => "\b"}.freeze
    def unescape(text)
      return text unless text.include?("\\")
      text.gsub(/\\(?:u([0-9a-fA-F]{4})|(.))/mn) { $1 ? [$1.hex].pack("U").b : UNESCAPED.fetch($2, $2) }
    end

    def id_of(key) = @names.known(key) || @anonymous&.fetch(key, nil)
    def list(keys) = "[#{keys.filter_map { |key| id_of(key) }.join(",")}]"

    def symbols
      alive = {}
      add = []
      add_dynamic = []
      Symbol.all_symbols.each do |symbol|
        key = @names.key(symbol.name)
        alive[key] = true
        # The dump has the name of a symbol that is no text without its bytes: it is one of that length.
        if !@alive_fstrings.key?(key) && (textless = @textless[symbol.name.bytesize]&.pop)
          @alive_fstrings.delete(textless)
          @alive_fstrings[key] = true
        end
        next if @symbols.key?(key)
        @names.id(symbol.name)
        # The dump tells no more than the address of a symbol that is no text.
        dynamic = symbol.name.ascii_only? ? @alive_dynamic[key] : Census.dynamic?(symbol)
        (dynamic ? add_dynamic : add) << key
      end
      gone = @symbols.keys.reject { |key| alive[key] }
      @symbols = alive
      %({"live":#{alive.size},"dynamic":#{@slots["T_SYMBOL"]},"add":#{list(add)},) +
        %("add_dynamic":#{list(add_dynamic)},"gone":#{list(gone)}})
    end

    def fstrings
      named = @fstrings
      @fstrings = @alive_fstrings
      add = @fstrings.keys.reject { |key| named.key?(key) || @symbols.key?(key) }
      gone = named.keys.reject { |key| @fstrings.key?(key) || @symbols.key?(key) }
      %({"live":#{@fstrings.size},"add":#{list(add)},"gone":#{list(gone)}})
    end

    def triples(counts)
      all = counts.sort.map { |length, (count, shared)| "[#{length},#{count},#{shared}]" }
      "[#{all.join(",")}]"
    end

    # T_OBJECTs and all else that has ivars. All instances of a class have one type, which its first
    # tells; but a few of Object's own are data.
    def ivars
      types = {}.compare_by_identity
      groups = Hash.new(0)
      ObjectSpace.each_object do |object|
        names = IVARS.bind_call(object)
        klass = CLASS.bind_call(object)
        type = types[klass] || ObjectSpace.dump(object)[/"type":"([A-Z]+)"/, 1]
        types[klass] = type unless klass.equal?(Object)
        next if names.empty? && type != "OBJECT"
        groups[[type, @names.id(NAME.bind_call(klass) || ""), names.map { |name| @names.id(name.name) }]] += 1
      end
      objects, others = groups.partition { |(type, _, _), _| type == "OBJECT" }
      {
        "objects" => rows(objects) { |_, klass, names| "#{klass},[#{names.join(",")}]" },
        "ivars" => rows(others) { |type, klass, names| %("T_#{type}",#{klass},[#{names.join(",")}]) }
      }
    end

    def rows(groups)
      "[#{groups.map { |group, count| "[#{yield group},#{count}]" }.join(",")}]"
    end

    def json_of(counts) = "{#{counts.map { |type, count| %("#{type}":#{count}) }.join(",")}}"
  end

  # The recording of this process.
  class Recorder
    Frame = Struct.new(:name, :how, :emitted)
    MOST_EVENTS = 100_000
    MOST_CODES = 10_000

    def initialize(path, keep_text)
      @main = Thread.current
      @pid = Process.pid
      @lock = Monitor.new
      @threads = 0
      @names = Names.new(keep_text)
      @file = WorkloadFile.new(path)
      @census = Census.new(@names, @file.partial)
      @reader = CodeReader.new(@names, @census)
      @finder = LiteralFinder.new
      @codes = 0 # of them wait in the queue
      @queue = []
      @unseen = Hash.new(0)
      @autoloads = {}
      @own = 0
      @told = 0
      @literals = LiteralCounts.new
      @file << %({"rubric_workload":1,"ruby":"#{RUBY_VERSION}","platform":"#{RUBY_PLATFORM}","text":#{keep_text}})
      @trace = TracePoint.new(:script_compiled) { |event| compiled(event) }
    end

    def start
      # The first to_a interns the names that Ruby has for instructions and events: they are the
      # recorder's.
      RubyVM::InstructionSequence.compile("class A; def a(b) = b.each { |c| c }; end").to_a
      track { census("start") }
      @told = GC.stat(:total_allocated_objects) - @own
      @features = $LOADED_FEATURES.size
      @trace.enable
    end

    # Calls the block, which requires, loads or autoloads `name`.
    def requiring(name, how)
      return yield unless here?
      frame = Frame.new(name, how, false)
      frames.push(frame)
      begin
        result = yield
        track { finished(frame, result) }
        result
      rescue Exception => error
        track { failed(frame, error) }
        raise
      ensure
        frames.pop
      end
    end

    def mark(name)
      return unless here?
      track do
        queue_allocated
        census(name)
      end
    end

    def autoload(path) = @autoloads[path.hash] = true
    def autoload?(path) = @autoloads.key?(path.hash)

    def stop
      return unless here?
      ended = Process.clock_gettime(Process::CLOCK_MONOTONIC)
      @trace.disable
      mark("exit")
      @file.finish
      @pid = nil
      report(ended)
    rescue StandardError => error
      @file.abandon
      warn "rubric: #{@file.path} could not be written: #{error.class}: #{error.message}"
    end

    # A child that was forked records nothing.
    def here? = @pid == Process.pid

    private
    def frames
      known = Thread.current.thread_variable_get(:rubric_frames)
      return known if known
      [].tap { |frames| Thread.current.thread_variable_set(:rubric_frames, frames) }
    end

    def thread
      return "" if Thread.current == @main
      number = Thread.current.thread_variable_get(:rubric_thread)
      unless number
        number = @threads += 1
        Thread.current.thread_variable_set(:rubric_thread, number)
      end
      %(,"thread":#{number})
    end

    # Runs the block as the recorder's own doing: its allocations are not the program's.
    def track
      before = GC.stat(:total_allocated_objects)
      @lock.synchronize { yield }
    ensure
      @own += GC.stat(:total_allocated_objects) - before
    end

    def emit(line)
      strings = @names.take_pending
      @file << strings if strings
      @file << line
    end

    def id(path) = @names.id(path)

    # What happened waits in the queue until the next mark: the program waits for no more than it
    # must. Instruction sequences live for longer so, of which only those of evals and of whole
    # files would have died; their number is bounded.
    def queue(*event)
      @queue << event
      drain if @queue.size >= MOST_EVENTS || @codes >= MOST_CODES
    end

    # Writes what waits, in order. Each event is the name of a method that writes it, and its
    # arguments.
    def drain
      waiting = @queue
      @queue = []
      @codes = 0
      waiting.each { |event| __send__(*event) }
    end

    # A copy that shares no buffer with the program's string: that would show in the census.
    def copy(string) = +"" << string

    def queue_paths
      now = $LOAD_PATH.hash
      if now != @load_path
        @load_path = now
        folders = $LOAD_PATH.map { |folder| File.expand_path(folder.to_s) }
        queue(:write_paths, "load_path", "folders", folders)
      end
      return if $LOADED_FEATURES.size == @features
      @features = $LOADED_FEATURES.size
      queue(:write_paths, "features", "list", $LOADED_FEATURES.map { |feature| copy(feature) })
    end

    def write_paths(operation, field, paths)
      emit(%({"op":"#{operation}","#{field}":[#{paths.map { |path| id(path) }.join(",")}]}))
    end

    def queue_require(frame, feature, result)
      queue_paths
      queue(:write_require, copy(frame.name), frame.how, feature && copy(feature), result, thread)
    end

    def write_require(name, how, feature, result, thread)
      emit(%({"op":"require","name":#{@names.json(@names.renamed(name))},"how":"#{how}",) +
           %("feature":#{feature ? id(feature) : "null"},"result":"#{result}"#{thread}}))
    end

    def compiled(event)
      return unless here?
      track do
        iseq = event.instruction_sequence
        next unless iseq
        path = feature_path(iseq) unless event.eval_script
        frame = frames.last
        # Other files may be compiled meanwhile, such as what shows a SyntaxError.
        if path && frame && !frame.emitted &&
           File.basename(path, ".rb") == File.basename(frame.name, ".rb")
          frame.emitted = true
          queue_require(frame, path, "new")
        end
        queue_code(iseq, path, event.eval_script)
      end
    rescue StandardError => error
      @unseen["code: #{error.class}: #{error.message}"] += 1
    end

    # As $LOADED_FEATURES has it: not iseq.absolute_path, which follows symbolic links.
    def feature_path(iseq)
      iseq.path.start_with?("/") ? iseq.path : iseq.absolute_path || iseq.path
    end

    def queue_code(iseq, path, source)
      # The way each literal is counted must be set up now; all else can be read later.
      ways = @literals.ways(path, iseq, @finder.find(iseq.to_a)) if may_have_literals?(path, source)
      @codes += 1
      queue(:write_code, path && copy(path), thread, iseq, ways)
    end

    def may_have_literals?(path, source)
      LiteralFinder.possible?(source || File.binread(path))
    rescue SystemCallError
      true
    end

    def write_code(path, thread, iseq, ways)
      code = iseq.to_a
      json = @reader.read(code)
      dynamic = @reader.dynamic
      emit(%({"op":"symbols","list":[#{dynamic.join(",")}],"dynamic":true})) if dynamic.any?
      emit(%({"op":"code","file":#{path ? id(path) : "null"},"iseqs":#{json}#{thread}}))
      @literals.add(ways || (@reader.literals.zero? ? [] : @literals.ways(path, nil, @finder.find(code))))
    end

    def finished(frame, result)
      if frame.emitted
        @features += 1 if frame.how != "load"
        queue(:emit, %({"op":"required","result":"loaded"#{thread}}))
      elsif result
        @features += 1 if frame.how != "load"
        queue_require(frame, $LOADED_FEATURES.last, "native")
      else
        queue_require(frame, nil, "old")
      end
      queue_allocated
    end

    def failed(frame, _error)
      if frame.emitted
        queue(:emit, %({"op":"required","result":"raised"#{thread}}))
      else
        queue_require(frame, nil, "failed")
      end
    end

    def queue_allocated
      now = GC.stat(:total_allocated_objects) - @own
      queue(:emit, %({"op":"allocated","slots":#{now - @told}})) if now > @told
      @told = now
    end

    def write_counts
      counts = @literals.take
      return if counts.empty?
      list = counts.map { |count| "[#{count.join(",")}]" }.join(",")
      emit(%({"op":"evaluated","literals":[#{list}]}))
    end

    def census(name)
      queue_paths if @features
      collections = %i[minor_gc_count major_gc_count total_allocated_objects].map { |count| GC.stat(count) }
      garbage = @census.count_garbage
      drain
      write_counts
      fields = @census.take(garbage, collections)
      emit(%({"op":"mark","name":#{@names.json(name)},#{fields}}))
    end

    def report(ended)
      @unseen["literals: the program uses Coverage itself; lines were not counted"] = 1 if @literals.counted == :elsewhere
      seconds = Process.clock_gettime(Process::CLOCK_MONOTONIC) - ended
      warn format("rubric: %s: %d lines, in %.1f s after the program", @file.path, @file.lines, seconds)
      @unseen.each { |what, times| warn "rubric: not seen, #{times} times: #{what}" }
    end
  end

  class << self
    attr_reader :recorder
    def mark(name) = recorder.mark(name.to_s)

    def output
      return ENV["RUBRIC_OUT"] unless ENV["RUBRIC_OUT"].to_s.empty?
      program = $PROGRAM_NAME == "-e" ? "ruby" : File.basename($PROGRAM_NAME, ".rb")
      File.expand_path("#{program}.workload.gz")
    end
  end

  TOPLEVEL = TOPLEVEL_BINDING.receiver
end

# The innermost `require` is hooked: RubyGems, Bundler, Zeitwerk and bootsnap wrap it, and Bundler
# takes RubyGems' wrapper off again. Without RubyGems it is Kernel#require itself, which RubyGems
# wraps when it comes.
module Kernel
  rubric_innermost = private_method_defined?(:gem_original_require) ? :gem_original_require : :require
  alias_method :rubric_require, rubric_innermost
  alias_method :rubric_load, :load

  define_method(rubric_innermost) do |name|
    path = name.respond_to?(:to_path) ? name.to_path : name
    next rubric_require(name) unless path.is_a?(String)
    how = Rubric.recorder.autoload?(path) && equal?(Rubric::TOPLEVEL) ? "autoload" : "require"
    Rubric.recorder.requiring(path, how) { rubric_require(name) }
  end

  def require_relative(name)
    path = name.respond_to?(:to_path) ? name.to_path : name
    caller_path = caller_locations(1, 1)&.first&.absolute_path
    raise LoadError, "cannot infer basepath" unless caller_path && path.is_a?(String)

    absolute = File.expand_path(path, File.dirname(File.realpath(caller_path)))
    Rubric.recorder.requiring(absolute, "require_relative") { rubric_require(absolute) }
  end

  def load(file, wrap = false)
    path = file.respond_to?(:to_path) ? file.to_path : file
    return rubric_load(file, wrap) unless path.is_a?(String)
    Rubric.recorder.requiring(path, "load") { rubric_load(file, wrap) }
  end
  private :rubric_require, :rubric_load, rubric_innermost, :require_relative, :load
end

class Module
  alias_method :rubric_autoload, :autoload
  private :rubric_autoload

  def autoload(name, path)
    Rubric.recorder.autoload(path) if path.is_a?(String)
    rubric_autoload(name, path)
  end
end

Rubric.instance_variable_set(:@recorder, Rubric::Recorder.new(Rubric.output, ENV["RUBRIC_TEXT"] == "1"))
at_exit { Rubric.recorder.stop }
Rubric.recorder.start
