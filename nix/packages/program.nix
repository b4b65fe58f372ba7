# One program: its bundle, the native packages it loads, and a wrapper that runs it under the Node it is built for.
{
  lib,
  stdenvNoCC,
  makeWrapper,
  nodejs,
  programs,
}:
{
  name,
  bundle,
  # Folders beside the bundle with what it imports only when needed.
  parts ? [ ],
  # Of Node.
  flags ? [ ],
  # Shell commands before Node starts, without a single quote.
  before ? "",
  # Packages beside the bundle.
  natives ? [ ],
  description,
  postInstall ? "",
}:
stdenvNoCC.mkDerivation {
  pname = name;
  inherit (programs) version;

  nativeBuildInputs = [ makeWrapper ];
  dontUnpack = true;
  installPhase = ''
    runHook preInstall
    lib=$out/lib/${name}
    mkdir -p $lib/node_modules
    for part in ${lib.concatStringsSep " " ([ bundle ] ++ parts)}; do
      cp -r ${programs}/dist/$part $lib/
    done
    for native in ${lib.concatStringsSep " " natives}; do
      cp -r ${programs}/node_modules/$native $lib/node_modules/
    done
    cd ${programs}
    for file in share/man/man*/${name}.* share/bash-completion/completions/${name} \
      share/zsh/site-functions/_${name} share/fish/vendor_completions.d/${name}.fish; do
      install -Dm444 $file $out/$file
    done
    documents=$out/share/doc/${name}
    mkdir -p $documents
    for document in notices.txt cdx.json; do
      cp ${programs}/dist/${lib.head (lib.splitString "." bundle)}.$document $documents/
    done
    makeWrapper ${nodejs}/bin/node $out/bin/${name} ${
      if before == "" then "" else "--run '${before}'"
    } --add-flags "${lib.concatStringsSep " " flags} $lib/${bundle}"
    runHook postInstall
  '';
  inherit postInstall;

  meta = {
    inherit description;
    license = lib.licenses.mit;
    mainProgram = name;
    maintainers = [ ];
    # koffi comes as its authors have built it.
    sourceProvenance = [
      lib.sourceTypes.fromSource
    ]
    ++ lib.optional (lib.elem "@koromix" natives) lib.sourceTypes.binaryNativeCode;
    platforms = [
      "x86_64-linux"
      "aarch64-linux"
    ];
  };
}
