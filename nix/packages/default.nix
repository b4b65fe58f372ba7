# The three programs as packages.
{ pkgs }:
let
  npmLock = import ./npm-lock.nix { };
  tarballs = pkgs.callPackage ./tarballs.nix {
    nodejs = pkgs.nodejs_24;
    inherit (npmLock) tarballs;
  };
  programs = pkgs.callPackage ./programs.nix {
    nodejs = pkgs.nodejs_24;
    inherit npmLock tarballs;
  };
  # It calls C libraries; in the services for messages to systemd.
  koffi = [ "@koromix" ];
  # Without npm: a third of the size.
  program = pkgs.callPackage ./program.nix {
    nodejs = pkgs.nodejs-slim_24;
    inherit programs;
  };
in
{
  connector = program {
    name = "homeport-connector";
    bundle = "connector.mjs";
    # As in bin/homeport-connector.
    flags = [ "--max-semi-space-size=8" ];
    # The addon of SQLite.
    parts = [ "native" ];
    natives = koffi;
    description = "Lets AI agents take part in IRC channels by the Model Context Protocol";
  };

  agent = program {
    name = "homeport-agent";
    bundle = "agent.cjs";
    # As in bin/homeport-agent.
    flags = [
      "--single-threaded-gc"
      "--no-concurrent-recompilation"
      "--no-concurrent-sparkplug"
      "--v8-pool-size=1"
      "--no-memory-reducer"
      "--max-semi-space-size=1"
    ];
    natives = koffi;
    description = "Reports the state of a host as JSON and as Prometheus metrics";
  };

  termprog = program {
    name = "termprog";
    bundle = "termprog.cjs";
    parts = [ "termprog-parts" ];
    # Both as in bin/termprog.
    flags = [
      "--min-semi-space-size=8"
      "--max-semi-space-size=8"
    ];
    before = ''
      export TERMPROG_OPEN_FILES=$(ulimit -Sn) TERMPROG_IGNORED_SIGNALS=
      if [ -n "''${NODE_OPTIONS+set}" ]; then
        export TERMPROG_NODE_OPTIONS=$NODE_OPTIONS
        unset NODE_OPTIONS
      fi
      for TERMPROG_SIGNAL in HUP INT TERM; do
        TERMPROG_IS_IGNORED=yes
        trap TERMPROG_IS_IGNORED=no "$TERMPROG_SIGNAL"
        kill -"$TERMPROG_SIGNAL" $$
        trap - "$TERMPROG_SIGNAL"
        [ $TERMPROG_IS_IGNORED = no ] || TERMPROG_IGNORED_SIGNALS="$TERMPROG_IGNORED_SIGNALS SIG$TERMPROG_SIGNAL"
      done
    '';
    natives = koffi;
    description = "A terminal for X, configured by X resources";
    postInstall = ''
      cp -r ${programs}/share/{X11,termprog} $out/share/
    '';
  };
}
