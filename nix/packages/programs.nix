# All programs, bundled, with the packages that stay outside of the bundles because they have native parts.
{
  lib,
  buildNpmPackage,
  fontconfig,
  freetype,
  harfbuzz,
  importNpmLock,
  nodejs,
  npmLock,
  stdenv,
  tarballs,
}:
let
  # npm would install the parts for the machine that builds.
  inherit (stdenv.hostPlatform) node;
in
buildNpmPackage {
  pname = "homeport-programs";
  inherit (npmLock.package) version;
  inherit nodejs;

  src = lib.fileset.toSource {
    root = ../..;
    fileset = lib.fileset.unions [
      ../../package.json
      ../../package-lock.json
      ../../schemas
      ../../scripts/build
      ../../tsconfig.json
      ../../share
      ../../src
    ];
  };

  npmDeps = importNpmLock {
    npmRoot = tarballs;
    inherit (npmLock) package;
    packageLock = npmLock.lock;
  };
  inherit (importNpmLock) npmConfigHook;

  npmFlags = [
    "--os=${node.platform}"
    "--cpu=${node.arch}"
  ];

  # Libraries have no common place on NixOS.
  postPatch = ''
    sed -i \
      -e "s|'\(libfontconfig\.so\.1\)'|'${lib.getLib fontconfig}/lib/\1'|" \
      -e "s|'\(libfreetype\.so\.6\)'|'${lib.getLib freetype}/lib/\1'|" \
      -e "s|'\(libharfbuzz\.so\.0\)'|'${lib.getLib harfbuzz}/lib/\1'|" \
      src/termprog/native-libraries.ts
  '';

  # Without the set-up of a checkout, which `npm run build` does first.
  buildPhase = ''
    runHook preBuild
    node scripts/build/main.ts --programs
    runHook postBuild
  '';

  # Of koffi only the part for the machine that the programs are for. SQLite's addon, which npm has built, is in dist.
  installPhase = ''
    runHook preInstall
    mkdir -p $out/node_modules/@koromix
    test -f dist/native/sqlite3-${node.platform}-${node.arch}.node
    cp -r dist share $out/
    cp -r node_modules/@koromix/koffi-${node.platform}-${node.arch} $out/node_modules/@koromix/
    runHook postInstall
  '';
  dontStrip = true;
}
