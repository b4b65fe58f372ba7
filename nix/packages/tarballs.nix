# The npm tarballs the programs are built from. They are byte-stable, so the hash of their folder is too:
# nix/packages/hash-tarballs computes it on any machine with npm and nix, and writes tarballs.json.
{
  lib,
  stdenvNoCC,
  nodejs,
  cacert,
  tarballs,
}:
stdenvNoCC.mkDerivation {
  name = "homeport-npm-tarballs";

  nativeBuildInputs = [
    nodejs
    cacert
  ];
  impureEnvVars = lib.fetchers.proxyImpureEnvVars ++ [ "NPM_CONFIG_REGISTRY" ];

  list = builtins.toJSON tarballs;
  passAsFile = [ "list" ];
  dontUnpack = true;
  dontFixup = true;
  buildPhase = ''
    runHook preBuild
    HOME=$TMPDIR node ${./fetch-tarballs.mjs} "$listPath" "$out"
    runHook postBuild
  '';
  dontInstall = true;

  outputHashMode = "recursive";
  outputHash = (lib.importJSON ./tarballs.json).hash;
}
