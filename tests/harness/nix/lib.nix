# The part of nixpkgs' lib that our modules use, for machines without nixpkgs: option declarations, types and evalModules.
# Types are checked and definitions merged by priority as there; documentation and positions are left out.
let
  inherit (builtins)
    all
    any
    attrNames
    concatLists
    concatStringsSep
    elem
    filter
    foldl'
    hasAttr
    head
    isAttrs
    isBool
    isFloat
    isFunction
    isInt
    isList
    isPath
    isString
    length
    listToAttrs
    map
    mapAttrs
    match
    replaceStrings
    stringLength
    substring
    tail
    toJSON
    toString
    ;

  nameValuePair = name: value: { inherit name value; };
  filterAttrs =
    keep: set:
    listToAttrs (map (name: nameValuePair name set.${name}) (filter (name: keep name set.${name}) (attrNames set)));
  unique = foldl' (seen: item: if elem item seen then seen else seen ++ [ item ]) [ ];
  concatMap = f: list: concatLists (map f list);
  hasPrefix = prefix: text: substring 0 (stringLength prefix) text == prefix;
  hasSuffix =
    suffix: text:
    let
      surplus = stringLength text - stringLength suffix;
    in
    surplus >= 0 && substring surplus (stringLength suffix) text == suffix;
  pathText = concatStringsSep ".";

  # Definitions carry conditions and priorities as tagged values.
  mkIf = condition: content: { _type = "if"; inherit condition content; };
  mkMerge = contents: { _type = "merge"; inherit contents; };
  mkOverride = priority: content: { _type = "override"; inherit priority content; };
  isTagged = tag: value: isAttrs value && (value._type or null) == tag;

  # Attribute sets of a definition, with its conditions moved to their members: a condition may depend on other options.
  attrSetsOf =
    value:
    if isTagged "merge" value then
      concatMap attrSetsOf value.contents
    else if isTagged "if" value then
      map (mapAttrs (_: mkIf value.condition)) (attrSetsOf value.content)
    else if isTagged "override" value then
      map (mapAttrs (_: mkOverride value.priority)) (attrSetsOf value.content)
    else
      [ value ];

  # { priority, value } of each definition that holds.
  discharge =
    priority: value:
    if isTagged "merge" value then
      concatMap (discharge priority) value.contents
    else if isTagged "if" value then
      (if value.condition then discharge priority value.content else [ ])
    else if isTagged "override" value then
      discharge value.priority value.content
    else
      [ { inherit priority value; } ];

  # Values of the strongest definitions.
  strongest =
    values:
    let
      discharged = concatMap (discharge 100) values;
      top = foldl' (least: { priority, ... }: if priority < least then priority else least) 9999 discharged;
    in
    map (definition: definition.value) (filter (definition: definition.priority == top) discharged);

  isOption = isTagged "option";

  # Name -> the definitions of it.
  byName =
    values:
    let
      sets = concatMap attrSetsOf values;
    in
    listToAttrs (
      map (name: nameValuePair name (map (set: set.${name}) (filter (hasAttr name) sets))) (unique (concatMap attrNames sets))
    );

  mergeOptionTrees =
    path: trees:
    if all isAttrs trees && !(any isOption trees) then
      listToAttrs (
        map (
          name:
          nameValuePair name (
            mergeOptionTrees (path ++ [ name ]) (map (tree: tree.${name}) (filter (hasAttr name) trees))
          )
        ) (unique (concatMap attrNames trees))
      )
    else if length trees == 1 then
      head trees
    else
      throw "The option `${pathText path}' is declared twice.";

  evalTree =
    path: tree: values:
    let
      defined = byName values;
      strangers = filter (name: !(tree ? ${name}) && isGiven defined.${name}) (attrNames defined);
    in
    if isOption tree then
      evalOption path tree values
    else if strangers != [ ] then
      throw "The option `${pathText (path ++ [ (head strangers) ])}' does not exist."
    else
      mapAttrs (name: node: evalTree (path ++ [ name ]) node (defined.${name} or [ ])) tree;

  # A definition whose conditions are all false is none.
  isGiven = values: concatMap (discharge 100) values != [ ];

  evalOption =
    path: option: values:
    let
      # A default no one needs isn't looked at: it may be a package that can't be built here.
      given = if isGiven values then values else map (mkOverride 1500) (if option ? default then [ option.default ] else [ ]);
      winners = strongest given;
    in
    if winners == [ ] then
      throw "The option `${pathText path}' was accessed but has no value defined."
    else
      mergeAs path option.type winners;

  mergeAs =
    path: type: values:
    let
      wrong = filter (value: !(type.check value)) values;
    in
    if wrong != [ ] then
      throw "A definition for option `${pathText path}' is not of type `${type.name}'."
    else
      type.merge path values;

  mergeEqual =
    path: values:
    if all (value: value == head values) values then
      head values
    else
      throw "The option `${pathText path}' has conflicting definition values.";

  scalar = name: check: { inherit name check; merge = mergeEqual; };
  between = lowest: highest: number: number >= lowest && number <= highest;

  types = {
    bool = scalar "boolean" isBool;
    int = scalar "integer" isInt;
    number = scalar "number" (value: isInt value || isFloat value);
    str = scalar "string" isString;
    nonEmptyStr = scalar "non-empty string" (value: isString value && match "[ \t\n]*" value == null);
    strMatching = pattern: scalar "string matching the pattern ${pattern}" (value: isString value && match pattern value != null);
    enum = values: scalar "one of ${toJSON values}" (value: elem value values);
    port = scalar "port" (value: isInt value && between 0 65535 value);
    ints = {
      between = lowest: highest: scalar "integer between ${toString lowest} and ${toString highest}" (value: isInt value && between lowest highest value);
      unsigned = scalar "unsigned integer" (value: isInt value && value >= 0);
      positive = scalar "positive integer" (value: isInt value && value > 0);
    };
    numbers = {
      between = lowest: highest: scalar "number between ${toString lowest} and ${toString highest}" (value: types.number.check value && between lowest highest value);
      nonnegative = scalar "nonnegative number" (value: types.number.check value && value >= 0);
    };
    externalPath = scalar "absolute path not in the Nix store" (
      value: isString value && hasPrefix "/" value && !(hasPrefix builtins.storeDir value)
    );
    package = scalar "package" (_: true);
    lines = {
      name = "lines";
      check = isString;
      merge = _: concatStringsSep "\n";
    };
    listOf = of: {
      name = "list of ${of.name}";
      check = isList;
      merge = path: values: map (item: mergeAs (path ++ [ "*" ]) of [ item ]) (concatLists values);
    };
    nonEmptyListOf = of: types.listOf of // {
      name = "non-empty list of ${of.name}";
      check = value: isList value && value != [ ];
    };
    attrsOf = of: {
      name = "attribute set of ${of.name}";
      check = isAttrs;
      merge =
        path: values:
        mapAttrs (name: definitions: mergeAs (path ++ [ name ]) of (strongest definitions)) (
          filterAttrs (_: isGiven) (byName values)
        );
    };
    nullOr = of: {
      name = "null or ${of.name}";
      check = value: value == null || of.check value;
      merge = path: values: if all (value: value == null) values then null else mergeAs path of values;
    };
    either = first: second: {
      name = "${first.name} or ${second.name}";
      check = value: first.check value || second.check value;
      merge = path: values: mergeAs path (if all first.check values then first else second) values;
    };
    submodule = module: {
      name = "submodule";
      check = isAttrs;
      merge = path: evalTree path module.options;
    };
    attrTag = branches: {
      name = "attribute-tagged union with choices: ${concatStringsSep ", " (attrNames branches)}";
      check = value: isAttrs value && length (attrNames value) == 1 && branches ? ${head (attrNames value)};
      merge =
        path: values:
        let
          tags = unique (concatMap attrNames values);
        in
        if length tags != 1 then
          throw "The option `${pathText path}' is defined by more than one choice."
        else
          evalTree path { ${head tags} = branches.${head tags}; } values;
    };
    anything = {
      name = "anything";
      check = _: true;
      merge =
        path: values:
        if all (value: isAttrs value && !(value ? outPath)) values then
          (types.attrsOf types.anything).merge path values
        else
          mergeEqual path values;
    };
  };

  # Modules with all that they import, as { options, config }.
  collect =
    arguments: module:
    let
      loaded = if isPath module || isString module then import module else module;
      called = if isFunction loaded then loaded arguments else loaded;
      structured = called ? options || called ? config || called ? imports;
    in
    [
      {
        options = called.options or { };
        config = if structured then called.config or { } else called;
      }
    ]
    ++ concatMap (collect arguments) (called.imports or [ ]);

  evalModules =
    { modules, specialArgs ? { } }:
    let
      collected = concatMap (collect (specialArgs // { inherit config lib; })) modules;
      options = mergeOptionTrees [ ] (map (module: module.options) collected);
      config = evalTree [ ] options (map (module: module.config) collected);
    in
    {
      inherit config options;
    };

  lib = {
    inherit
      all
      any
      concatMap
      concatStringsSep
      elem
      evalModules
      filter
      filterAttrs
      hasPrefix
      head
      isAttrs
      isBool
      isFloat
      isList
      isOption
      mapAttrs
      mkIf
      mkMerge
      nameValuePair
      replaceStrings
      types
      ;
    mkDefault = mkOverride 1000;
    mkForce = mkOverride 50;
    mkOption = declaration: declaration // { _type = "option"; };
    mkEnableOption = what: lib.mkOption {
      type = types.bool;
      default = false;
      description = "Whether to enable ${what}.";
    };
    literalExpression = text: { _type = "literalExpression"; inherit text; };
    attrByPath =
      path: fallback: set:
      if path == [ ] then
        set
      else if set ? ${head path} then
        lib.attrByPath (tail path) fallback set.${head path}
      else
        fallback;
    boolToString = value: if value then "true" else "false";
    concatMapStrings = f: list: concatStringsSep "" (map f list);
    genAttrs = names: f: listToAttrs (map (name: nameValuePair name (f name)) names);
    hasInfix = infix: text: replaceStrings [ infix ] [ "" ] text != text;
    importJSON = file: builtins.fromJSON (builtins.readFile file);
    mapAttrs' = f: set: listToAttrs (map (name: f name set.${name}) (attrNames set));
    mapAttrsToList = f: set: map (name: f name set.${name}) (attrNames set);
    optional = condition: item: if condition then [ item ] else [ ];
    optionalAttrs = condition: set: if condition then set else { };
    removePrefix =
      prefix: text:
      if hasPrefix prefix text then substring (stringLength prefix) (stringLength text) text else text;
    removeSuffix =
      suffix: text:
      if hasSuffix suffix text then substring 0 (stringLength text - stringLength suffix) text else text;
  };
in
lib
