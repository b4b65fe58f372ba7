# Written by `npm run generate`. Changes made here are lost.
{ lib }:
let
  inherit (lib) mkOption types;

  # What Nix says that it expected, in place of a pattern or of a type's name.
  explained = type: description: type // { inherit description; };
in
{
  options = {
    baseUrl = mkOption {
      type = explained (types.strMatching "(https://[^/?#@ ]+|http://(127\\.0\\.0\\.1|localhost|\\[::1])(:[0-9]+)?)") "an https address without a path or a slash at the end (http only on 127.0.0.1, localhost or [::1])";
      example = "https://irc.example.org";
      description = "Address under which people and agents reach the connector; also its OAuth issuer and resource.";
    };
    previousBaseUrl = mkOption {
      type = types.nullOr (explained (types.strMatching "(https://[^/?#@ ]+|http://(127\\.0\\.0\\.1|localhost|\\[::1])(:[0-9]+)?)") "an https address without a path or a slash at the end (http only on 127.0.0.1, localhost or [::1])");
      default = null;
      example = "https://old.example.org";
      description = "The `baseUrl` that this installation had before, to change it on purpose: without it a start on a database of another base address is refused. Of no effect once the connector has started with the new one.";
    };
    listen = {
      address = mkOption {
        type = explained (types.strMatching "([A-Za-z0-9_]([A-Za-z0-9._-]*[A-Za-z0-9])?|[0-9A-Fa-f.]*:[0-9A-Fa-f.:]*:[0-9A-Fa-f.:]*(%[A-Za-z0-9._-]+)?)") "an address of this machine without a port and without brackets, such as 10.0.0.1, fd00::1, fe80::1%eth0 or host.example.org; the port is the option beside it";
        default = "127.0.0.1";
        description = "Address to listen on.";
      };
      port = mkOption {
        type = types.port;
        default = 8460;
        description = "TCP port to listen on.";
      };
      drainSeconds = mkOption {
        type = types.ints.between 0 10;
        default = 3;
        description = "How long connections are still accepted when the connector ends, while `/healthz` fails: longer than a proxy needs to notice that. Connections without a request are closed two seconds later. With 0 the connector ends at once, and requests may fail.";
      };
    };
    stateDirectory = mkOption {
      type = types.str;
      default = "/var/lib/homeport-connector";
      description = "Directory of what the connector makes for itself: signing and encryption keys, and the embedded database.";
    };
    keysFile = mkOption {
      type = types.nullOr (explained types.externalPath "absolute path as a text, such as \"/run/secrets/token\": a path literal such as ./token would be copied to the Nix store, where everybody may read it");
      default = null;
      description = "File with the signing and encryption keys, in the form of the `keys.json` that the connector makes in its state directory. Unset: that one.";
    };
    logLevel = mkOption {
      type = types.enum [ "debug" "info" "warn" "error" ];
      default = "info";
      description = "Least severe records written to standard error. A reload applies a change.";
    };
    ircChannels = mkOption {
      type = types.nonEmptyListOf (explained (types.strMatching "#[^ ,:/]+") "a channel with leading #, without blanks, commas, colons and slashes: soju calls a channel CHANNEL/NETWORK, so that it can’t join one with a slash, and channels of other kinds (&, +, !) have no name in the REST interface");
      example = [ "#homeport" ];
      description = "Channels that the owner may grant to people.";
    };
    oauthRedirectUris = mkOption {
      type = types.listOf (explained (types.strMatching "(https://[^/?#@* ]+|http://(127\\.0\\.0\\.1|localhost|\\[::1])(:[0-9]+)?)([/?][^#* ]*)?") "an https address without a fragment, a wildcard or a user name (http only on 127.0.0.1, localhost or [::1])");
      default = [ ];
      description = "Redirect URIs of the legacy action client, compared exactly.";
    };
    corsOrigins = mkOption {
      type = types.listOf (explained (types.strMatching "(https://[^/?#@* ]+|http://(127\\.0\\.0\\.1|localhost|\\[::1])(:[0-9]+)?)") "the origin of a site as browsers write it, without a path, a slash at the end or the usual port (http only on 127.0.0.1, localhost or [::1])");
      default = [ ];
      example = [ "https://inspector.example.org" ];
      description = "Origins of web pages whose scripts may call `/mcp` from a browser, such as those of an inspector. Every page may read the metadata, register, get tokens and revoke them; none may use the pages of people or a cookie. A reload applies a change.";
    };
    legacyClient = mkOption {
      type = types.nullOr (types.submodule {
        options = {
          id = mkOption {
            type = types.nonEmptyStr;
            description = "Client id of the one older, confidential action client.";
          };
          secretFile = mkOption {
            type = explained types.externalPath "absolute path as a text, such as \"/run/secrets/token\": a path literal such as ./token would be copied to the Nix store, where everybody may read it";
            description = "File with the secret of that client.";
          };
        };
      });
      default = null;
      description = "The older, confidential action client; its PKCE is optional. Unset: no such client.";
    };
    settings = {
      ownerLogins = mkOption {
        type = types.listOf types.nonEmptyStr;
        example = [ "ada" ];
        description = "Logins of the owners at the identity provider. At an OpenID Connect provider where people may edit the claim that holds the login (`preferred_username`, unless `identityProvider.oidc.loginClaim` names another), anyone who edits theirs becomes an owner: name owners by `ownerSubjects` there. May be empty if `ownerSubjects` is not. A reload applies a change.";
      };
      ownerSubjects = mkOption {
        type = types.listOf types.nonEmptyStr;
        default = [ ];
        example = [ "248289761001" ];
        description = "Owners by what never changes at the identity provider and never passes to another person: the claim `sub` of an OpenID Connect provider, the number of an account at GitHub. For these people it does not matter what their login is. Exact, in the case that the provider has. A reload applies a change.";
      };
      maxUsers = mkOption {
        type = types.ints.between 1 10000;
        default = 20;
        description = "People who may have an account, owners among them. A reload applies a change.";
      };
      personalTokens = mkOption {
        type = types.bool;
        default = false;
        description = "Whether to let people make tokens in `/settings` for agents that have no browser, for up to a year. While it is off, tokens that were made before are refused. A reload applies a change.";
      };
    };
    identityProvider = mkOption {
      type = explained (types.attrTag {
        oidc = mkOption {
          type = types.submodule {
            options = {
              issuer = mkOption {
                type = explained (types.strMatching "https?://[!-~]+") "an http or https address in ASCII";
                example = "https://id.example.org";
                description = "Issuer of the OpenID Connect provider people sign in with.";
              };
              clientId = mkOption {
                type = types.nonEmptyStr;
                description = "Client id registered for the connector there.";
              };
              clientSecretFile = mkOption {
                type = explained types.externalPath "absolute path as a text, such as \"/run/secrets/token\": a path literal such as ./token would be copied to the Nix store, where everybody may read it";
                description = "File with the client secret registered there.";
              };
              loginClaim = mkOption {
                type = types.nonEmptyStr;
                default = "preferred_username";
                description = "Claim that holds the login.";
              };
            };
          };
          description = "An OpenID Connect provider.";
        };
        github = mkOption {
          type = types.submodule {
            options = {
              url = mkOption {
                type = explained (types.strMatching "(https://[^/?#@ ]+|http://(127\\.0\\.0\\.1|localhost|\\[::1])(:[0-9]+)?)(/[^?# ]*[^?# /])?") "an https address without a slash at the end (http only on 127.0.0.1, localhost or [::1])";
                default = "https://github.com";
                description = "Address of the service, without a slash at the end: GitHub, a GitHub Enterprise Server, a Forgejo or a Gitea.";
              };
              apiUrl = mkOption {
                type = types.nullOr (explained (types.strMatching "(https://[^/?#@ ]+|http://(127\\.0\\.0\\.1|localhost|\\[::1])(:[0-9]+)?)(/[^?# ]*[^?# /])?") "an https address without a slash at the end (http only on 127.0.0.1, localhost or [::1])");
                default = null;
                example = "https://git.example.org/api/v1";
                description = "Address of its API. Unset: `https://api.github.com` for github.com, elsewhere `url` and `/api/v3`, as GitHub Enterprise Server has it.";
              };
              clientId = mkOption {
                type = types.nonEmptyStr;
                description = "Client id of the OAuth app that is registered for the connector there.";
              };
              clientSecretFile = mkOption {
                type = explained types.externalPath "absolute path as a text, such as \"/run/secrets/token\": a path literal such as ./token would be copied to the Nix store, where everybody may read it";
                description = "File with a client secret of that app.";
              };
            };
          };
          description = "GitHub, or a service with the same sign-in.";
        };
      }) "exactly one of oidc, github, for example { oidc = { issuer = \"https://id.example.org\"; clientId = \"…\"; clientSecretFile = \"…\"; }; }";
      description = "Where people sign in.";
    };
    bouncer = mkOption {
      type = explained (types.attrTag {
        soju = mkOption {
          type = types.submodule {
            options = {
              adminSocket = mkOption {
                type = types.str;
                default = "/run/soju/admin";
                description = "Path of soju's admin socket.";
              };
              address = mkOption {
                type = explained (types.strMatching "(irc\\+insecure://[^/ ]+|unix:///.+)") "irc+insecure://HOST:PORT or unix:///PATH";
                default = "irc+insecure://127.0.0.1:6667";
                description = "Address of soju's listener for IRC clients.";
              };
              network = {
                name = mkOption {
                  type = explained (types.strMatching "[A-Za-z0-9._-]+") "letters, digits, dot, underscore and hyphen";
                  default = "main";
                  description = "Name of the network in the bouncer and in results.";
                };
                address = mkOption {
                  type = explained (types.strMatching "(ircs|irc\\+insecure)://[^/ ]+") "ircs://HOST:PORT or irc+insecure://HOST:PORT";
                  example = "ircs://irc.libera.chat";
                  description = "Address of the IRC server.";
                };
                unpaced = mkOption {
                  type = types.bool;
                  default = false;
                  description = "Whether the server announces `soju.im/SAFERATE`: lines are then sent as they come, not five at once and then one per two seconds. soju does not show its clients what the server announces.";
                };
              };
              upstreamProbeSeconds = mkOption {
                type = types.ints.between 1 3600;
                default = 60;
                description = "How often the IRC server is asked through the bouncer whether it still answers. After two answers missing, each awaited for half of this without a line of other people, it is connected to anew.";
              };
              replayTimeoutSeconds = mkOption {
                type = types.ints.between 1 600;
                default = 30;
                description = "How long soju may take to send a page of what was missed, before the session begins anew.";
              };
              channelKeysFile = mkOption {
                type = types.nullOr (explained types.externalPath "absolute path as a text, such as \"/run/secrets/token\": a path literal such as ./token would be copied to the Nix store, where everybody may read it");
                default = null;
                description = "File with the keys of channels that let in only who has one (mode `+k`): a line for each, as `NETWORK #channel KEY`. SIGHUP reads it again; a changed key is used as soon as the channel asks for one. Unset: the connector has no keys.";
              };
              otherNetworks = mkOption {
                type = types.listOf (types.submodule {
                  options = {
                    name = mkOption {
                      type = explained (types.strMatching "[A-Za-z0-9._-]+") "letters, digits, dot, underscore and hyphen";
                      example = "oftc";
                      description = "Name of the network in the bouncer and in results; each has one of its own.";
                    };
                    address = mkOption {
                      type = explained (types.strMatching "(ircs|irc\\+insecure)://[^/ ]+") "ircs://HOST:PORT or irc+insecure://HOST:PORT";
                      example = "ircs://irc.libera.chat";
                      description = "Address of the IRC server.";
                    };
                    unpaced = mkOption {
                      type = types.bool;
                      default = false;
                      description = "Whether the server announces `soju.im/SAFERATE`: lines are then sent as they come, not five at once and then one per two seconds. soju does not show its clients what the server announces.";
                    };
                  };
                });
                default = [ ];
                description = "Further networks that a person may choose instead, in the settings.";
              };
            };
          };
          description = "The soju bouncer.";
        };
      }) "soju, for example { soju = { network.address = \"ircs://irc.libera.chat\"; }; }";
      description = "The bouncer that keeps the IRC connections.";
    };
    database = mkOption {
      type = explained (types.attrTag {
        sqlite = mkOption {
          type = types.submodule {
            options = {
              file = mkOption {
                type = types.nullOr types.str;
                default = null;
                description = "Database file. Unset: `connector.db` in the state directory.";
              };
            };
          };
          description = "The embedded database: one file, nothing to run beside it.";
        };
        postgres = mkOption {
          type = types.submodule {
            options = {
              host = mkOption {
                type = types.nonEmptyStr;
                default = "/run/postgresql";
                description = "Name or address of the server, or the directory of its Unix socket. Not a pooler that shares connections between transactions.";
              };
              port = mkOption {
                type = types.port;
                default = 5432;
                description = "TCP port of the server; also part of the name of its socket.";
              };
              database = mkOption {
                type = types.nonEmptyStr;
                default = "homeport-connector";
                description = "Name of the database. Its encoding must be UTF8.";
              };
              user = mkOption {
                type = types.nonEmptyStr;
                default = "homeport-connector";
                description = "Role that owns the database. On a Unix socket with peer authentication: the account the connector runs as.";
              };
              passwordFile = mkOption {
                type = types.nullOr (explained types.externalPath "absolute path as a text, such as \"/run/secrets/token\": a path literal such as ./token would be copied to the Nix store, where everybody may read it");
                default = null;
                description = "File with the password of that role. Unset: the server asks for none.";
              };
              tls = mkOption {
                type = types.enum [ "off" "verify" ];
                default = "off";
                description = "Whether connections are encrypted and the certificate of the server is verified.";
              };
              caFile = mkOption {
                type = types.nullOr types.str;
                default = null;
                description = "Certificates of the authorities that `tls` trusts, in PEM. Unset: those Node.js trusts.";
              };
              poolSize = mkOption {
                type = types.ints.between 1 100;
                default = 8;
                description = "Connections used at once, beside the one that keeps other processes out.";
              };
              standby = mkOption {
                type = types.bool;
                default = false;
                description = "Whether this process serves nothing while another one has the database, and only waits to take over from it. Off: every process on the database serves all requests, and a balancer may choose any of them.";
              };
            };
          };
          description = "A PostgreSQL server, 13 or newer.";
        };
      }) "exactly one of sqlite, postgres, for example { sqlite = { }; }";
      default = { sqlite = { }; };
      description = "Where accounts, grants and history are kept.";
    };
    retention = {
      days = mkOption {
        type = types.ints.between 1 36500;
        default = 90;
        description = "Days an entry is kept. A reload applies a change.";
      };
      entriesPerAccount = mkOption {
        type = types.ints.between 100 10000000;
        default = 200000;
        description = "Entries kept per account, the newest. A reload applies a change.";
      };
    };
    adminTokenFile = mkOption {
      type = types.nullOr (explained types.externalPath "absolute path as a text, such as \"/run/secrets/token\": a path literal such as ./token would be copied to the Nix store, where everybody may read it");
      default = null;
      description = "File with the bearer token of the automation endpoints under /admin and of /metrics, at least 16 characters. Unset: they refuse every token.";
    };
    rateLimits = {
      perClient = mkOption {
        type = types.ints.between 1 10000000;
        default = 6000;
        description = "Requests a minute of one client of an account, over MCP and REST together. A reload applies a change.";
      };
      perAddress = mkOption {
        type = types.ints.between 1 10000000;
        default = 600;
        description = "Requests a minute of one address without an access token that holds; an IPv6 /56 is one address. A twentieth of it may be registrations of clients. A reload applies a change.";
      };
    };
    trustedProxies = mkOption {
      type = types.listOf (explained (types.strMatching "(((25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9]?[0-9])\\.){3}(25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9]?[0-9])(/([1-9]|[12][0-9]|3[0-2]))?|[0-9a-fA-F:]*:[0-9a-fA-F:.]+(/([1-9][0-9]?|1[01][0-9]|12[0-8]))?)") "an IP address, or a network as ADDRESS/BITS with 1 to 32 bits, in IPv6 to 128");
      default = [ ];
      example = [ "127.0.0.1" "10.1.0.0/16" ];
      description = "Addresses or networks of proxies whose `X-Forwarded-For` is believed, for `rateLimits.perAddress`. None: the address a connection comes from counts.";
    };
    metricsListen = mkOption {
      type = types.nullOr (types.submodule {
        options = {
          address = mkOption {
            type = explained (types.strMatching "([A-Za-z0-9_]([A-Za-z0-9._-]*[A-Za-z0-9])?|[0-9A-Fa-f.]*:[0-9A-Fa-f.:]*:[0-9A-Fa-f.:]*(%[A-Za-z0-9._-]+)?)") "an address of this machine without a port and without brackets, such as 10.0.0.1, fd00::1, fe80::1%eth0 or host.example.org; the port is the option beside it";
            default = "127.0.0.1";
            description = "Address to serve the metrics on.";
          };
          port = mkOption {
            type = types.port;
            default = 8461;
            description = "TCP port to serve the metrics on.";
          };
        };
      });
      default = null;
      description = "Serve `/metrics` without a token at an address of its own, too, which only those who may see them can reach. Unset: with the admin token alone.";
    };
    events = {
      allowCallbackHosts = mkOption {
        type = types.listOf (explained (types.strMatching "[A-Za-z0-9._:-]+") "a host name or an IP address, without port and brackets");
        default = [ ];
        example = [ "hooks.internal.example.org" ];
        description = "Hosts of event callbacks that need not have public addresses: receivers inside your own network. Only for one that is this machine (localhost, 127.0.0.1, ::1) plain http is accepted, too. Whoever may subscribe can reach every port of these hosts.";
      };
      callbackCaFile = mkOption {
        type = types.nullOr types.str;
        default = null;
        description = "Certificates of authorities that event callbacks may be signed by, in PEM, beside those Node.js trusts. Unset: only those.";
      };
    };
    oauth = {
      clientDocuments = mkOption {
        type = types.bool;
        default = true;
        description = "Whether to take clients that describe themselves at an https address, as Claude Code and Codex do, which the connector then fetches. Without a way to the Internet turn it off: then such clients register instead, if they can.";
      };
    };
    outboundProxy = mkOption {
      type = types.nullOr (types.submodule {
        options = {
          url = mkOption {
            type = explained (types.strMatching "https?://([A-Za-z0-9._-]+|\\[[0-9A-Fa-f:.]+])(:[0-9]{1,5})?/?") "http://HOST:PORT";
            example = "http://proxy.internal.example.org:3128";
            description = "Address of the proxy.";
          };
          credentialsFile = mkOption {
            type = types.nullOr (explained types.externalPath "absolute path as a text, such as \"/run/secrets/token\": a path literal such as ./token would be copied to the Nix store, where everybody may read it");
            default = null;
            description = "File with the user and the password for it, as USER:PASSWORD. Unset: it asks for none.";
          };
          noProxy = mkOption {
            type = types.listOf (explained (types.strMatching "[A-Za-z0-9._:-]+") "a host name or an IP address, without port and brackets");
            default = [ ];
            example = [ "id.internal.example.org" ];
            description = "Hosts that are reached without it, with all names below them.";
          };
        };
      });
      default = null;
      description = "HTTP proxy by which encrypted requests leave: for documents of clients, event callbacks and the identity provider. It is asked for vetted addresses, so this machine must be able to look up the names of callbacks and documents. Hosts in `events.allowCallbackHosts` and this machine itself are reached without it. Unset: the proxy that `HTTPS_PROXY` names in the environment, except for hosts in `NO_PROXY`; without that none.";
    };
    adminEvents = {
      enable = mkOption {
        type = types.bool;
        default = false;
        description = "Whether to serve the owner diagnostics at /admin/events.";
      };
    };
  };

  # Options without a default, each with the option that has to be given first for it to be needed.
  required = [
    { path = [ "baseUrl" ]; within = [ ]; }
    { path = [ "ircChannels" ]; within = [ ]; }
    { path = [ "legacyClient" "id" ]; within = [ "legacyClient" ]; }
    { path = [ "legacyClient" "secretFile" ]; within = [ "legacyClient" ]; }
    { path = [ "settings" "ownerLogins" ]; within = [ ]; }
    { path = [ "identityProvider" ]; within = [ ]; }
    { path = [ "identityProvider" "oidc" "issuer" ]; within = [ "identityProvider" "oidc" ]; }
    { path = [ "identityProvider" "oidc" "clientId" ]; within = [ "identityProvider" "oidc" ]; }
    { path = [ "identityProvider" "oidc" "clientSecretFile" ]; within = [ "identityProvider" "oidc" ]; }
    { path = [ "identityProvider" "github" "clientId" ]; within = [ "identityProvider" "github" ]; }
    { path = [ "identityProvider" "github" "clientSecretFile" ]; within = [ "identityProvider" "github" ]; }
    { path = [ "bouncer" ]; within = [ ]; }
    { path = [ "bouncer" "soju" "network" "address" ]; within = [ "bouncer" "soju" ]; }
    { path = [ "outboundProxy" "url" ]; within = [ "outboundProxy" ]; }
  ];

  # Options that name a file with a secret.
  secretFiles = [
    [ "keysFile" ]
    [ "legacyClient" "secretFile" ]
    [ "identityProvider" "oidc" "clientSecretFile" ]
    [ "identityProvider" "github" "clientSecretFile" ]
    [ "bouncer" "soju" "channelKeysFile" ]
    [ "database" "postgres" "passwordFile" ]
    [ "adminTokenFile" ]
    [ "outboundProxy" "credentialsFile" ]
  ];

  # Options that a reload applies. A change of any other one needs a restart.
  softOptions = [
    [ "logLevel" ]
    [ "corsOrigins" ]
    [ "settings" "ownerLogins" ]
    [ "settings" "ownerSubjects" ]
    [ "settings" "maxUsers" ]
    [ "settings" "personalTokens" ]
    [ "retention" "days" ]
    [ "retention" "entriesPerAccount" ]
    [ "rateLimits" "perClient" ]
    [ "rateLimits" "perAddress" ]
  ];

  # Options without effect in this version, each with the default at which it stands unless somebody sets it.
  withoutEffect = [ ];
}
