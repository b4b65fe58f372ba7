import { createHash } from 'node:crypto';
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import { expect, test } from 'vitest';
import {
  evaluate,
  evaluateToJson,
  evaluation,
  nixpkgsLib,
  nixTest,
  repository,
  runNix,
} from '../../harness/nix/nix.ts';

/** The flake's outputs, with stand-ins for nixpkgs and for the fields of `self` that it uses. */
const outputs = `
  let
    lib = import ${nixpkgsLib};
    pkgs = import ./tests/harness/nix/pkgs.nix { inherit lib; };
    flake = import ./flake.nix;
    self = flake.outputs { inherit self; nixpkgs = { inherit lib; legacyPackages = lib.genAttrs [ "x86_64-linux" "aarch64-linux" ] (_: pkgs); }; };
  in
`;

test('every .nix file parses', async () => {
  const { stdout } = await execa('git', ['ls-files', '--cached', '--others', '--exclude-standard', '*.nix'], {
    cwd: repository,
  });
  const files = stdout.split('\n');

  const { exitCode, stderr } = await runNix('nix-instantiate', ['--parse', ...files]);

  expect(files).toContain('flake.nix');
  expect(exitCode, stderr).toBe(0);
});

nixTest('the flake offers packages, modules, checks and a shell for both systems', async () => {
  const names = await evaluate(`${outputs}
    lib.mapAttrs (_: output: builtins.attrNames output) (removeAttrs self [ "overlays" "templates" ])
  `);

  const systems = ['aarch64-linux', 'x86_64-linux'];
  expect(names).toEqual({
    packages: systems,
    nixosModules: ['agent', 'connector', 'default', 'termprog'],
    homeModules: ['termprog'],
    checks: systems,
    devShells: systems,
    formatter: systems,
  });
});

nixTest('each package, check and shell of the flake is made of parts that exist', async () => {
  const made = await evaluate(`${outputs} {
    packages = lib.mapAttrs (_: package: package.pname) self.packages.x86_64-linux;
    overlay = lib.mapAttrs (_: package: package.pname) (self.overlays.default pkgs pkgs);
    checks = lib.mapAttrs (_: check: check.name) self.checks.x86_64-linux;
    shell = builtins.length self.devShells.x86_64-linux.default.packages;
    formatter = self.formatter.x86_64-linux.name;
    template = builtins.pathExists (self.templates.default.path + "/flake.nix");
  }`);

  const programs = { connector: 'homeport-connector', agent: 'homeport-agent', termprog: 'termprog' };
  expect(made).toMatchObject({
    packages: { ...programs, default: 'homeport-connector' },
    overlay: { 'homeport-connector': 'homeport-connector', 'homeport-agent': 'homeport-agent', termprog: 'termprog' },
    checks: {
      agent: 'homeport-agent',
      connector: 'homeport-connector',
      'connector-proxies': 'homeport-connector-proxies',
    },
    formatter: 'nixfmt-tree',
    template: true,
  });
});

nixTest('without flakes the same modules and packages are there', async () => {
  const names = await evaluate(`
    let
      lib = import ${nixpkgsLib};
      all = import ./default.nix { pkgs = import ./tests/harness/nix/pkgs.nix { inherit lib; }; };
    in {
      packages = lib.mapAttrs (_: package: package.pname) all.packages;
      modules = lib.mapAttrs (_: builtins.pathExists) (all.nixosModules // { home = all.homeModules.termprog; });
    }
  `);

  expect(names).toEqual({
    packages: { connector: 'homeport-connector', agent: 'homeport-agent', termprog: 'termprog' },
    modules: { connector: true, agent: true, termprog: true, default: true, home: true },
  });
});

nixTest('the configuration of the template passes the modules', async () => {
  const packages = `{ pkgs, ... }: {
    services.homeport.connector.package = pkgs.fake "connector" { };
    services.homeport.agent.package = pkgs.fake "agent" { };
    programs.termprog.package = pkgs.fake "termprog" { };
  }`;

  const judged = await evaluate(`
    let system = ${evaluation('nixos', ['./modules', './nix/template/configuration.nix', packages])};
    in { inherit (system) failed warnings; }
  `);

  expect(judged).toEqual({ failed: [], warnings: [] });
});

test('the lock file is the one of the inputs', async () => {
  // Nix reads a flake of a git tree; one of its own is small and has no changes under way.
  const folder = mkdtempSync(join(tmpdir(), 'homeport-flake-'));
  try {
    for (const file of ['flake.nix', 'flake.lock']) cpSync(join(repository, file), join(folder, file));
    await execa('git', ['init', '--quiet'], { cwd: folder });
    await execa('git', ['add', '.'], { cwd: folder });

    const { exitCode, stderr } = await runNix(
      'nix',
      [
        '--extra-experimental-features',
        'nix-command flakes',
        'flake',
        'metadata',
        '--offline',
        '--no-update-lock-file',
      ],
      folder,
    );

    expect(exitCode, stderr).toBe(0);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('the hash of the npm tarballs belongs to this package-lock.json (else run nix/packages/hash-tarballs)', async () => {
  const tarballs = await evaluateToJson('(import ./nix/packages/npm-lock.nix { }).tarballs');
  const { list } = JSON.parse(readFileSync(join(repository, 'nix/packages/tarballs.json'), 'utf8')) as { list: string };

  expect(createHash('sha256').update(tarballs).digest('hex')).toBe(list);
});

test('the lock of the packages is closed: all that is needed there is in it', async () => {
  const { lock } = (await evaluate('let l = import ./nix/packages/npm-lock.nix { }; in { inherit (l) lock; }')) as {
    lock: { packages: Record<string, { dependencies?: object; optionalDependencies?: object; resolved?: string }> };
  };
  const names = new Set(Object.keys(lock.packages).map((path) => path.replace(/^(.*\/)?node_modules\//, '')));

  const missing = Object.entries(lock.packages).flatMap(([path, { dependencies, optionalDependencies }]) =>
    Object.keys({ ...dependencies, ...optionalDependencies })
      .filter((name) => !names.has(name))
      .map((name) => `${path} needs ${name}`),
  );

  expect(missing).toEqual([]);
  expect(Object.entries(lock.packages).filter(([path, { resolved }]) => path !== '' && resolved === undefined)).toEqual(
    [],
  );
});
