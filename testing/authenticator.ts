import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import { isoCBOR } from '@simplewebauthn/server/helpers';

/** Vouches for a device by what it signs; `signByKey` signs by the new key itself. */
type Attest = (
  data: Buffer,
  signByKey: (data: Buffer) => Buffer,
) => { readonly fmt: string; readonly attStmt: ReadonlyMap<string, unknown> };

/** What a device or a browser may do otherwise than the standard says, or than the service asks. */
export interface Deviation {
  readonly origin?: string;
  readonly rpId?: string;
  readonly crossOrigin?: boolean;
  /** Whether the device recognised its person. */
  readonly recognised?: boolean;
  readonly type?: string;
  readonly challenge?: string;
  readonly counter?: number;
  /** The member that the key says it is for; null: it says none. */
  readonly userHandle?: string | null;
  readonly signature?: Buffer;
  /** What vouches for the device. */
  readonly attest?: Attest;
}

interface Asked {
  readonly challenge: string;
  readonly options: Readonly<Record<string, unknown>>;
}

const USER_PRESENT = 0x01;
const USER_VERIFIED = 0x04;
const HAS_KEY = 0x40;
const ES256 = -7;

const sha256 = (data: string | Uint8Array): Buffer => createHash('sha256').update(data).digest();
const base64url = (data: Uint8Array): string => Buffer.from(data).toString('base64url');
const uint = (value: number, bytes: 2 | 4): Buffer => {
  const buffer = Buffer.alloc(bytes);
  buffer.writeUIntBE(value, 0, bytes);
  return buffer;
};

/** A device of a person that makes one passkey for one site, in software: the half of WebAuthn that browsers do. */
export function newAuthenticator(site: { readonly origin: string; readonly rpId: string }) {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const { x, y } = publicKey.export({ format: 'jwk' });
  const id = randomBytes(32);
  let userHandle = '';
  let counter = 0;

  const coseKey = isoCBOR.encode(
    new Map<number, number | Uint8Array>([
      [1, 2],
      [3, ES256],
      [-1, 1],
      [-2, Uint8Array.from(Buffer.from(x!, 'base64url'))],
      [-3, Uint8Array.from(Buffer.from(y!, 'base64url'))],
    ]),
  );

  const signed = (data: Buffer): Buffer => sign('sha256', data, privateKey);

  const clientData = (type: string, asked: Asked, odd: Deviation): Buffer =>
    Buffer.from(
      JSON.stringify({
        type: odd.type ?? type,
        challenge: odd.challenge ?? asked.challenge,
        origin: odd.origin ?? site.origin,
        crossOrigin: odd.crossOrigin ?? false,
      }),
    );

  const authenticatorData = (odd: Deviation, key: readonly Uint8Array[] = []): Buffer => {
    const verified = odd.recognised === false ? 0 : USER_VERIFIED;
    const flags = USER_PRESENT | verified | (key.length > 0 ? HAS_KEY : 0);
    const count = uint(odd.counter ?? counter, 4);
    return Buffer.concat([sha256(odd.rpId ?? site.rpId), Buffer.from([flags]), count, ...key]);
  };

  return {
    id: base64url(id),
    /** What `navigator.credentials.create` gives. */
    create(asked: Asked, odd: Deviation = {}) {
      userHandle = (asked.options['user'] as { id: string }).id;
      const data = clientData('webauthn.create', asked, odd);
      const authData = authenticatorData(odd, [Buffer.alloc(16), uint(id.length, 2), id, coseKey]);
      const none = { fmt: 'none', attStmt: new Map<string, unknown>() };
      const { fmt, attStmt } = odd.attest?.(Buffer.concat([authData, sha256(data)]), signed) ?? none;
      const attestation = new Map<string, unknown>([
        ['fmt', fmt],
        ['attStmt', attStmt],
        ['authData', Uint8Array.from(authData)],
      ]);
      return {
        id: base64url(id),
        rawId: base64url(id),
        type: 'public-key',
        clientExtensionResults: {},
        response: {
          clientDataJSON: base64url(data),
          attestationObject: base64url(isoCBOR.encode(attestation as Parameters<typeof isoCBOR.encode>[0])),
          transports: ['internal', 'of-the-future'],
        },
      };
    },
    /** What `navigator.credentials.get` gives. It counts each use, unless the test says another number. */
    get(asked: Asked, odd: Deviation = {}) {
      counter += 1;
      const data = clientData('webauthn.get', asked, odd);
      const told = authenticatorData(odd);
      const signature = odd.signature ?? signed(Buffer.concat([told, sha256(data)]));
      const handle = odd.userHandle === undefined ? userHandle : odd.userHandle;
      return {
        id: base64url(id),
        rawId: base64url(id),
        type: 'public-key',
        clientExtensionResults: {},
        response: {
          clientDataJSON: base64url(data),
          authenticatorData: base64url(told),
          signature: base64url(signature),
          ...(handle === null ? {} : { userHandle: handle }),
        },
      };
    },
  };
}

export type Authenticator = ReturnType<typeof newAuthenticator>;
