import { describe, expect, it } from '@jest/globals';
import { failureStatus, isAboutAddress } from './failure-status.ts';

describe('the status of a failed delivery', () => {
  it.each([
    ['5.1.1', '550 5.1.1 user unknown'],
    ['5.0.0', '550 No such user here'],
    ['', '550 The email account that you tried to reach does not exist'],
    ['5.1.2', 'host unknown'],
    ['5.4.4', 'Host or domain name not found'],
    ['5.1.10', 'RESOLVER.ADR.RecipientNotFound; Recipient not found by SMTP address lookup'],
    ['5.0.0', ''],
  ])('%s with the answer "%s" is about the address', (stated, answer) => {
    expect(isAboutAddress(failureStatus(stated, answer))).toBe(true);
  });

  // What passes, and what concerns the mail or the sender, would come again or reach the address another time.
  it.each([
    ['5.1.1', '550 5.1.1 mailbox is full'],
    ['5.0.0', '552 user is over quota'],
    ['5.1.1', '550 5.1.1 rejected, your address is on a blocklist'],
    ['5.0.0', '554 message looks like spam'],
    ['5.0.0', '550 SPF check failed: Sender Policy Framework'],
    ['5.4.1', 'Access denied'],
    ['5.2.1', 'the mailbox is disabled'],
    ['5.0.0', 'account suspended'],
    ['5.0.0', 'delivery timed out'],
    ['5.4.7', ''],
    ['5.3.4', 'message too big'],
    ['5.7.1', 'user unknown in relay table'],
    ['4.2.2', ''],
    ['', '451 try again later'],
    ['5.1.8', 'sender address has no MX record'],
  ])('%s with the answer "%s" is not', (stated, answer) => {
    expect(isAboutAddress(failureStatus(stated, answer))).toBe(false);
  });

  it('takes the more precise of two statuses', () => {
    expect(failureStatus('5.0.0', '550 5.1.10 nobody')).toBe('5.1.10');
    expect(failureStatus('', '421 closing')).toBe('4.0.0');
    expect(failureStatus('', 'Sorry. (#5.1.2)')).toBe('5.1.2');
  });
});
