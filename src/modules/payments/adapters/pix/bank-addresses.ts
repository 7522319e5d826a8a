import { lookup as lookupName } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { isLoopbackAddress, isPublicAddress } from '../../../../platform/network/address-guard.ts';
import { PaymentProviderError, type PixCredentials } from '../../ports/payment-provider.ts';
import { PIX_PROFILE_NAMES, type PixProfileName } from '../../rules/pix-profiles.ts';
import type { BankAddresses, PixProfile } from './profile.ts';
import { PIX_PROFILES } from './profiles.ts';

const MAX_URL_LENGTH = 2_048;
const MAX_CA_LENGTH = 64 * 1_024;

export interface AddressRules {
  /** Outside production a bank may be a program on this machine, and without TLS. */
  readonly allowLoopback: boolean;
}

const mayConnectTo = (address: string, { allowLoopback }: AddressRules): boolean =>
  isPublicAddress(address) || (allowLoopback && isLoopbackAddress(address));

/** Refuses what can be known of an address without a question to the network. */
function checkedUrl(text: string, rules: AddressRules): string {
  const refused = (why: string) => new PaymentProviderError('rejected', why, { providerCodes: ['address_refused'] });
  if (text.length > MAX_URL_LENGTH || !URL.canParse(text)) throw refused('an address of the bank is not a URL');
  const url = new URL(text);
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const isLocal = host === 'localhost' || isLoopbackAddress(host);
  const isPlain = url.protocol === 'http:' && isLocal && rules.allowLoopback;
  if (url.protocol !== 'https:' && !isPlain) throw refused('an address of the bank does not begin with https://');
  if (url.username !== '' || url.password !== '') throw refused('an address of the bank contains credentials');
  if (url.search !== '' || url.hash !== '') throw refused('an address of the bank contains a query');
  if (isIP(host) !== 0 && !mayConnectTo(host, rules)) throw refused('an address of the bank is private or reserved');
  return text.replace(/\/+$/, '');
}

export interface Bank extends BankAddresses {
  readonly name: PixProfileName;
  readonly profile: PixProfile;
}

/** Tests give a bank that plays a profile; otherwise the addresses are those of the profile or, for `custom`, the client's. */
export type BankOverrides = Readonly<Partial<Record<PixProfileName, BankAddresses>>>;

export function bankOf(
  credentials: PixCredentials,
  options: AddressRules & { readonly sandbox: boolean; readonly banks: BankOverrides },
): Bank {
  const name = PIX_PROFILE_NAMES.find((one) => one === credentials.profile);
  if (name === undefined) throw new PaymentProviderError('unauthorized', 'the profile of the bank is unknown');
  const profile = PIX_PROFILES[name];
  const own = options.banks[name] ?? (options.sandbox ? profile.sandbox : profile.production);
  if (own !== null) return { name, profile, ...own };
  const { custom } = credentials;
  if (name !== 'custom' || custom === null) {
    throw new PaymentProviderError('unauthorized', 'the addresses of the bank are not known');
  }
  if ((custom.caPem?.length ?? 0) > MAX_CA_LENGTH) {
    throw new PaymentProviderError('rejected', 'the certificates of the authorities are too long');
  }
  return {
    name,
    profile,
    baseUrl: checkedUrl(custom.baseUrl, options),
    tokenUrl: checkedUrl(custom.tokenUrl, options),
    ...(custom.caPem === null ? {} : { caPem: custom.caPem }),
  };
}

class AddressRefused extends Error {
  readonly code = 'ADDRESS_REFUSED';
}

/**
 * Resolves a name in the connection itself, so that the connection is made to no other address than the one that was
 * checked. One private address among public ones is enough: which of them is used is a matter of chance.
 */
export const guardedLookup =
  (rules: AddressRules): LookupFunction =>
  (name, options, callback) => {
    lookupName(name, { ...options, all: true }, (error, addresses) => {
      const [first] = addresses ?? [];
      if (error !== null) return callback(error, '');
      if (first === undefined || addresses.some(({ address }) => !mayConnectTo(address, rules))) {
        return callback(new AddressRefused('The name leads to an address that may not be called'), '');
      }
      return options.all === true ? callback(null, addresses) : callback(null, first.address, first.family);
    });
  };
