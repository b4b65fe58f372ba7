# What of package.json and package-lock.json the packages are built from, and the tarballs that takes: what is installed
# with Homeport, what the bundles are made of, and the bundler.
# Left out: other development tools, packages for other systems, and the Node that checkouts pin.
# The lock has no addresses: a tarball is named by package and version, and its content is checked by the lock's integrity.
{
  packageJson ? builtins.fromJSON (builtins.readFile ../../package.json),
  packageLock ? builtins.fromJSON (builtins.readFile ../../package-lock.json),
}:
let
  inherit (builtins)
    attrNames
    attrValues
    concatMap
    elem
    elemAt
    filter
    genericClosure
    isString
    listToAttrs
    mapAttrs
    match
    removeAttrs
    replaceStrings
    ;

  # Of the development dependencies. A build without one of them fails, and a test makes that build.
  usedByBuild = [
    "@modelcontextprotocol/server"
    "@xterm/headless"
    "esbuild"
    "execa"
    "express"
    "helmet"
    "ipaddr.js"
    "irc-framework"
    "jsonc-parser"
    "knex"
    "oidc-provider"
    "openid-client"
    "pg"
    "pino"
    "prom-client"
    "sqlite3"
    "standardwebhooks"
    "x11"
  ];
  filterAttrs =
    keep: set:
    listToAttrs (
      map (name: {
        inherit name;
        value = set.${name};
      }) (filter (name: keep name set.${name}) (attrNames set))
    );

  # node_modules/a/node_modules/@b/c -> @b/c
  nameOf =
    path:
    let
      found = match "(.*/)?node_modules/(.+)" path;
    in
    if found == null then null else elemAt found 1;

  # Whether a list such as [ "linux" ] or [ "!win32" ] (a single one may stand alone), or none, lets a value in.
  admits =
    listed: value:
    let
      values = if isString listed then [ listed ] else listed;
      refusals = filter (entry: match "!.*" entry != null) values;
    in
    listed == null || elem value values || (refusals == values && !(elem "!${value}" values));

  fits =
    entry:
    admits (entry.os or null) "linux"
    && (admits (entry.cpu or null) "x64" || admits (entry.cpu or null) "arm64")
    && admits (entry.libc or null) "glibc";

  inherit (packageLock) packages;

  # node_modules/a/node_modules/b -> node_modules/a -> ""
  holderOf =
    path:
    let
      found = match "(.*)/node_modules/.+" path;
    in
    if found == null then "" else elemAt found 0;

  # Where a package at a path finds another, as Node looks for it: beside its own, then further up. Empty where it is not.
  find =
    path: name:
    let
      place = if path == "" then "node_modules/${name}" else "${path}/node_modules/${name}";
    in
    if packages ? ${place} then
      [ place ]
    else if path == "" then
      [ ]
    else
      find (holderOf path) name;

  requiredNames =
    entry:
    attrNames (
      (entry.dependencies or { }) // (entry.optionalDependencies or { }) // (entry.peerDependencies or { })
    );

  closure = genericClosure {
    startSet = map (key: { inherit key; }) (
      concatMap (find "") (attrNames (packageJson.dependencies // packageJson.optionalDependencies) ++ usedByBuild)
    );
    operator =
      { key }: map (path: { key = path; }) (concatMap (find key) (requiredNames packages.${key}));
  };

  isNeeded = path: entry: elem path (map ({ key }: key) closure) && fits entry;

  kept = filterAttrs isNeeded packages;
  keptNames = map nameOf (attrNames kept);

  fileOf = path: entry: "${replaceStrings [ "@" "/" ] [ "" "-" ] (nameOf path)}-${entry.version}.tgz";

  # Optional parts for other systems would be looked for in vain.
  withoutOthers =
    entry:
    entry
    // (
      if entry ? optionalDependencies then
        { optionalDependencies = filterAttrs (name: _: elem name keptNames) entry.optionalDependencies; }
      else
        { }
    );

  root = removeAttrs packageJson [ "workspaces" ] // {
    devDependencies = filterAttrs (name: _: elem name usedByBuild) packageJson.devDependencies;
  };
in
{
  package = root;

  lock = packageLock // {
    packages =
      mapAttrs (path: entry: withoutOthers entry // { resolved = fileOf path entry; }) kept
      // {
        "" = removeAttrs packageLock.packages."" [ "workspaces" ] // {
          inherit (root) devDependencies;
        };
      };
  };

  # Each tarball once, however often it is installed.
  tarballs = attrValues (
    listToAttrs (
      map (
        path:
        let
          entry = kept.${path};
          file = fileOf path entry;
        in
        {
          name = file;
          value = {
            inherit file;
            inherit (entry) integrity;
            spec = "${nameOf path}@${entry.version}";
          };
        }
      ) (attrNames kept)
    )
  );
}
