/** The latest version that `go install` can build, so that download and build give the same program. */
export const TEMPORAL_VERSION = '1.5.1';

/**
 * SHA-256 of the vendor's archives of that version, by platform. They are the values of the release's `checksums.txt`:
 * three public package lists that fetch exactly these addresses state them independently and identically, namely
 * `temporal-cli.hcl` of cashapp/hermit-packages, the same file of zph/hermit-packages (without linux_arm64), and a Nix
 * expression for all four. A platform that is not listed (Windows) has no download, because no source names its
 * checksum.
 */
export const ARCHIVE_SHA256: Readonly<Record<string, string>> = {
  linux_amd64: 'ddc95e08b0b076efd4ea9733a3f488eb7d2be875f8834e616cd2a37358b4852d',
  linux_arm64: 'bd1b0db9f18b051026de8bf6cc1505f2510f14bbb7a8b9a4a91fff46c77454f5',
  darwin_amd64: 'bbb73e2a31135abe50a1f1cdb35030c42961df618e8ce9c60ae89f201540c5d9',
  darwin_arm64: 'cca01b7ea35ad56e2a328d9ae596bf716bd22313ef63c7a761c88354457c2415',
};

/** The platform in the vendor's spelling. */
export const PLATFORM = `${process.platform === 'win32' ? 'windows' : process.platform}_${process.arch === 'x64' ? 'amd64' : process.arch}`;
export const ARCHIVE_BASE = 'https://github.com/temporalio/cli/releases/download';

export const archivePath = (version: string, platform: string): string =>
  `/v${version}/temporal_cli_${version}_${platform}.tar.gz`;
