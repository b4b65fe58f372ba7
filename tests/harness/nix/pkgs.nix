# Stand-ins of the packages and builders our modules and flake touch: paths that look like the store's, and what was asked for.
{ lib }:
let
  # A name as the store gives it to a file, by what is in it.
  storePath = name: content: "/nix/store/${builtins.substring 0 32 (builtins.hashString "sha256" content)}-${name}";

  fake =
    name: attributes:
    attributes
    // {
      inherit name;
      type = "derivation";
      outPath = attributes.outPath or "/nix/store/00000000000000000000000000000000-${name}";
      meta = attributes.meta or { };
    };
  # Everything a derivation is made of is looked at, so that what is missing shows.
  build = arguments: builtins.deepSeq arguments (fake (arguments.name or arguments.pname) arguments);

  # Missing arguments are an error, as with the real one.
  callPackage =
    file: arguments:
    let
      function = import file;
    in
    function (builtins.intersectAttrs (builtins.functionArgs function) pkgs // arguments);

  packages =
    lib.genAttrs
      [
        "bash"
        "cacert"
        "caddy"
        "chromium"
        "coreutils"
        "ergochat"
        "fontconfig"
        "freetype"
        "gcc"
        "gnumake"
        "harfbuzz"
        "knot-dns"
        "makeWrapper"
        "nginx"
        "ngircd"
        "nix"
        "nixfmt"
        "nodejs-slim_24"
        "nodejs_24"
        "openssl"
        "postfix"
        "postgresql"
        "prometheus"
        "prometheus-node-exporter"
        "python3"
        "soju"
        "systemd"
        "wireguard-tools"
        "xdotool"
        "xterm"
      ]
      (name: fake name { });

  pkgs = packages // {
    inherit fake callPackage;
    lib = lib // {
      # The real ones read the tree by built-ins that Debian's Nix (2.8) lacks. Every file named must be there.
      fileset = {
        unions =
          files: if lib.all builtins.pathExists files then files else throw "a file of the set is missing";
        toSource = { root, fileset }: builtins.seq fileset root;
      };
    };
    xorg = lib.genAttrs [ "xorgserver" "xprop" "xrdb" "xwd" "xwininfo" ] (name: fake name { });
    stdenv = {
      buildPlatform.canExecute = _: true;
      hostPlatform.system = "x86_64-linux";
      hostPlatform.node = {
        platform = "linux";
        arch = "x64";
      };
    };
    stdenvNoCC.mkDerivation = build;
    buildNpmPackage = build;
    importNpmLock = {
      __functor =
        _:
        {
          npmRoot,
          package,
          packageLock,
        }:
        fake "npm-deps" { inherit npmRoot package packageLock; };
      npmConfigHook = fake "npm-config-hook" { };
    };
    nixfmt-tree.override = { settings }: fake "nixfmt-tree" { inherit settings; };
    mkShell = arguments: fake "shell" arguments;
    testers.runNixOSTest = build;

    # What a test writes or runs in their place: see evaluate.nix and build.ts.
    runtimeShell = "/bin/sh";
    writeText =
      name: text:
      fake name {
        inherit text;
        outPath = storePath name text;
      };
    writeShellScript =
      name: text:
      pkgs.writeText name ''
        #!/bin/sh
        ${text}'';
    runCommand =
      name: environment: script:
      fake name {
        inherit environment script;
        outPath = storePath name (script + toString (builtins.attrValues environment));
      };
  };
in
pkgs
