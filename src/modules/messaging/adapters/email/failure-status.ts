const ENHANCED = /(?:^|[^\d.])([245]\.\d{1,3}\.\d{1,3})(?![\d.]*\d)/;
const REPLY = /(?:^|[^\d.])([45])\d\d(?![\d.])/;

/**
 * What servers say in words, by the enhanced status (RFC 3463) that they should have given. An earlier line wins: a full
 * mailbox is often refused together with words about the address.
 */
const REASONS: readonly (readonly [status: string, words: readonly string[]])[] = (
  [
    [
      '4.2.2',
      `mailbox full, mailbox is full, over quota, overquota, over its quota, quota exceeded, exceeded quota, exceeds the
      quota, exceeded storage, out of storage, insufficient system storage, insufficient disk space, disk quota, not enough
      storage, caixa postal cheia, caixa cheia`,
    ],
    [
      '5.1.1',
      `user unknown, unknown user, user not known, unknown local part, no such user, no such mailbox, no such recipient, no such address, does not exist,
      doesn't exist, not exist, unknown recipient, recipient unknown, recipient not found, user not found, address not
      found, mailbox not found, not found by smtp, name is not recognized, invalid address, invalid recipient, invalid
      mailbox, unknown address, doesn't have a, no mailbox here, account has been closed, não existe, nao existe, usuário
      desconhecido, usuario desconhecido, destinatário inexistente, destinatario inexistente`,
    ],
    [
      '5.1.2',
      `host unknown, unknown host, domain not found, host not found, host or domain name not found, nxdomain, unrouteable
      address, unroutable address, no mx record, domain does not accept mail`,
    ],
    [
      '5.7.1',
      `spam, blocked, blacklist, block list, blocklist, denylist, policy, dmarc, dkim, sender policy framework, reputation,
      unauthenticated, not authorized, access denied, relaying denied, relay denied, relay not permitted, virus, malware,
      content rejected, reverse dns`,
    ],
    [
      '4.4.7',
      `timed out, time out, timeout, retry time, connection refused, expired, try again, try later, temporar, too many,
      throttl, greylist, graylist, rate limit, could not connect, no route to host, loop detected, internal system error,
      internal error`,
    ],
    ['4.2.1', 'suspended, disabled, inactive, not accepting messages, on hold, desativad, bloqueada'],
  ] as const
).map(([status, words]) => [status, words.replace(/\s+/g, ' ').split(', ')]);

const reasonIn = (answer: string): string | undefined => {
  const text = answer.toLowerCase().replace(/\s+/g, ' ');
  return REASONS.find(([, words]) => words.some((word) => text.includes(word)))?.[0];
};

/** Whether the failure is about the address for good: it does not exist, or its domain takes no mail. */
export const isAboutAddress = (status: string): boolean => /^5\.(?:0\.|1\.(?![78]$)|4\.4$)/.test(status);

/**
 * Returns the enhanced status of a failure. `stated` is what the reporting server says, `answer` what the refusing one
 * answered. Servers refuse full mailboxes and content with the status of an unknown address, so words that name another
 * reason count more than such a status. A vague status says less than any words.
 */
export function failureStatus(stated: string, answer: string): string {
  const given = [stated, answer].map((text) => ENHANCED.exec(text)?.[1]).filter((status) => status !== undefined);
  const status = given.find((one) => !one.endsWith('.0.0')) ?? given[0];
  const reason = reasonIn(answer);
  if (status === undefined) return reason ?? `${REPLY.exec(answer)?.[1] ?? '5'}.0.0`;
  if (reason === undefined || !isAboutAddress(status)) return status;
  return status.endsWith('.0.0') || !isAboutAddress(reason) ? reason : status;
}
