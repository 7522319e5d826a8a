import type { Credential, Passkeys } from '../../../ports/passkeys.ts';
import { PASSKEY_MINUTES } from '../../../rules/passkeys.ts';

const NAME = 'Quita';
const TIMEOUT_MS = PASSKEY_MINUTES * 60_000;

/** The package costs a tenth of a second and 25 MB, so it is loaded by the first passkey. */
const library = () => import('@simplewebauthn/server');
const helpers = () => import('@simplewebauthn/server/helpers');

/** The bytes of the member's id: random, and no longer than the 64 bytes that the standard allows. */
const handleBytes = (memberId: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(Buffer.from(memberId.replaceAll('-', ''), 'hex'));

const described = (known: readonly Credential[]) =>
  known.map(({ credentialId, transports }) => ({ id: credentialId, transports: [...transports] }));

/** The package throws for whatever does not fit, and touches nothing outside: each of its errors is about the answer. */
const orNull = async <Result>(read: () => Promise<Result | null>): Promise<Result | null> => {
  try {
    return await read();
  } catch {
    return null;
  }
};

/** A page of another site that shows the console in a frame is refused. The package leaves some of these through. */
async function comesFromFrame(clientDataJSON: string): Promise<boolean> {
  const { decodeClientDataJSON } = await helpers();
  return decodeClientDataJSON(clientDataJSON).crossOrigin === true;
}

/**
 * Says whether the answer carries certificates of the device. None are asked for, and reading them would fetch lists of
 * revoked ones from addresses that the answer names.
 */
async function carriesCertificates(attestationObject: string): Promise<boolean> {
  const { decodeAttestationObject, isoBase64URL } = await helpers();
  const attestation = decodeAttestationObject(isoBase64URL.toBuffer(attestationObject));
  const format = attestation.get('fmt');
  if (format === 'none') return false;
  // Some browsers leave the signature that a device makes by the new key itself.
  return format !== 'packed' || attestation.get('attStmt').get('x5c') !== undefined;
}

/** Keys belong to the host of `PUBLIC_URL`. They ask for a person whom the device recognises, so that one is two factors. */
export function createSimplewebauthnPasskeys({ publicUrl }: { readonly publicUrl: string }): Passkeys {
  const { origin: expectedOrigin, hostname: rpID } = new URL(publicUrl);
  const expected = { expectedOrigin, expectedRPID: rpID, requireUserVerification: true } as const;

  return {
    async askForKey({ id, name, email }, known) {
      const { generateRegistrationOptions } = await library();
      const options = await generateRegistrationOptions({
        rpName: NAME,
        rpID,
        userID: handleBytes(id),
        userName: email,
        userDisplayName: name,
        timeout: TIMEOUT_MS,
        attestationType: 'none',
        excludeCredentials: described(known),
        authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      });
      return { challenge: options.challenge, options: { ...options } };
    },

    async askForSignature(known) {
      const { generateAuthenticationOptions } = await library();
      const allowCredentials = described(known);
      const asked = { rpID, allowCredentials, userVerification: 'required', timeout: TIMEOUT_MS } as const;
      const options = await generateAuthenticationOptions(asked);
      return { challenge: options.challenge, options: { ...options } };
    },

    readKey: ({ id, response: { clientDataJSON, attestationObject } }, challenge) =>
      orNull(async () => {
        if ((await comesFromFrame(clientDataJSON)) || (await carriesCertificates(attestationObject))) return null;
        const { verifyRegistrationResponse } = await library();
        const { registrationInfo: made } = await verifyRegistrationResponse({
          ...expected,
          response: {
            id,
            rawId: id,
            type: 'public-key',
            clientExtensionResults: {},
            response: { clientDataJSON, attestationObject },
          },
          expectedChallenge: challenge,
        });
        if (made === undefined || made.credential.id !== id) return null;
        const { publicKey, counter } = made.credential;
        const { credentialDeviceType: deviceType, credentialBackedUp: backedUp } = made;
        return { credentialId: id, publicKey, counter, deviceType, backedUp };
      }),

    readSignature: ({ id, response: { clientDataJSON, authenticatorData, signature } }, challenge, publicKey) =>
      orNull(async () => {
        if (await comesFromFrame(clientDataJSON)) return null;
        const { verifyAuthenticationResponse } = await library();
        const { verified, authenticationInfo: info } = await verifyAuthenticationResponse({
          ...expected,
          response: {
            id,
            rawId: id,
            type: 'public-key',
            clientExtensionResults: {},
            response: { clientDataJSON, authenticatorData, signature },
          },
          expectedChallenge: challenge,
          // The package compares the counter before it checks the signature, so anybody could make it look like a copy.
          credential: { id, publicKey: Uint8Array.from(publicKey), counter: 0 },
        });
        return verified ? { counter: info.newCounter, backedUp: info.credentialBackedUp } : null;
      }),

    handleOf: (memberId) => Buffer.from(handleBytes(memberId)).toString('base64url'),
  };
}
