{
  description = "Homeport: an IRC connector for AI agents, a host report agent and an X11 terminal";

  inputs.nixpkgs.url = "github:NixOS/nixpkgs/nixos-26.05";

  outputs =
    { self, nixpkgs }:
    let
      inherit (nixpkgs) lib;
      systems = [
        "x86_64-linux"
        "aarch64-linux"
      ];
      forEachSystem = f: lib.genAttrs systems (system: f nixpkgs.legacyPackages.${system});
      packagesFor = pkgs: import ./nix/packages { inherit pkgs; };
    in
    {
      packages = forEachSystem (
        pkgs:
        let
          packages = packagesFor pkgs;
        in
        packages // { default = packages.connector; }
      );

      overlays.default = final: _: {
        homeport-connector = (packagesFor final).connector;
        homeport-agent = (packagesFor final).agent;
        inherit (packagesFor final) termprog;
      };

      nixosModules = {
        connector = ./modules/connector.nix;
        agent = ./modules/agent.nix;
        termprog = ./modules/termprog.nix;
        default = ./modules;
      };

      homeModules.termprog = ./modules/home/termprog.nix;

      checks = forEachSystem (
        pkgs:
        import ./nix/checks {
          inherit pkgs;
          modules = self.nixosModules;
        }
      );

      devShells = forEachSystem (pkgs: {
        default = import ./nix/shell.nix { inherit pkgs; };
      });

      # Generated files keep the form their generator gives them.
      formatter = forEachSystem (
        pkgs:
        pkgs.nixfmt-tree.override {
          settings.excludes = [
            "modules/generated/*"
            "tests/golden/*"
          ];
        }
      );

      templates.default = {
        path = ./nix/template;
        description = "A host with the services and the terminal of Homeport";
      };
    };
}
