# What of package.json and package-lock.json the packages are built from, and the tarballs that takes.
# Left out: development tools other than the bundler, packages for other systems, and the Node that checkouts pin.
# The lock has no addresses: a tarball is named by package and version, and its content is checked by the lock's integrity.
{
  packageJson ? builtins.fromJSON (builtins.readFile ../../package.json),
  packageLock ? builtins.fromJSON (builtins.readFile ../../package-lock.json),
}:
let
  inherit (builtins)
    attrNames
    attrValues
    elem
    elemAt
    filter
    isString
    listToAttrs
    mapAttrs
    match
    removeAttrs
    replaceStrings
    ;

  bundler = "esbuild";
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

  isBundler =
    path: path == "node_modules/${bundler}" || match "node_modules/@${bundler}/.+" path != null;

  isNeeded =
    path: entry:
    nameOf path != null
    && !(entry.link or false)
    && fits entry
    && (isBundler path || !(entry.dev or false))
    && match "node_modules/node-linux-.+" path == null;

  kept = filterAttrs isNeeded packageLock.packages;
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
    devDependencies = {
      ${bundler} = packageJson.devDependencies.${bundler};
    };
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
