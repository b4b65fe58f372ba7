{
  description = "A host with Homeport";

  inputs = {
    nixpkgs.url = "github:NixOS/nixpkgs/nixos-26.05";
    # Where this checkout of Homeport is.
    homeport.url = "path:/srv/homeport";
    homeport.inputs.nixpkgs.follows = "nixpkgs";
  };

  outputs =
    { nixpkgs, homeport, ... }:
    {
      nixosConfigurations.host = nixpkgs.lib.nixosSystem {
        system = "x86_64-linux";
        modules = [
          homeport.nixosModules.default
          ./configuration.nix
        ];
      };
    };
}
