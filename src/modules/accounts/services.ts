import { acceptInvitation } from './use-cases/accept-invitation.ts';
import { answerChallenge, answerChallengeOfConsole } from './use-cases/answer-challenge.ts';
import { askForConfirmation } from './use-cases/ask-for-confirmation.ts';
import { askForNewPasskey, askForPasskey, askForStepUp } from './use-cases/ask-for-passkey.ts';
import { askForVerification } from './use-cases/ask-for-verification.ts';
import { authenticate } from './use-cases/authenticate.ts';
import { changeAccount } from './use-cases/change-account.ts';
import { askForEmailChange, confirmEmailChange } from './use-cases/change-email.ts';
import { changePassword } from './use-cases/change-password.ts';
import { changeRole } from './use-cases/change-role.ts';
import { checkCorporateEmail } from './use-cases/check-corporate-email.ts';
import { confirmCompany } from './use-cases/confirm-company.ts';
import { confirmEmail } from './use-cases/confirm-email.ts';
import { createApiKey } from './use-cases/create-api-key.ts';
import type { AccountDeps } from './use-cases/deps.ts';
import { endAllSessions, endConsoleSession } from './use-cases/end-console-session.ts';
import { endOwnSession } from './use-cases/end-own-session.ts';
import { enterByPasskey, enterConsoleByPasskey } from './use-cases/enter-by-passkey.ts';
import { exportAudit } from './use-cases/export-audit.ts';
import { forgetPassword } from './use-cases/forget-password.ts';
import { hasAccounts } from './use-cases/has-accounts.ts';
import { inviteMember, sendInvitationAgain } from './use-cases/invite-member.ts';
import { createKeyUses } from './use-cases/key-uses.ts';
import { listMembers } from './use-cases/list-members.ts';
import { listSessions } from './use-cases/list-sessions.ts';
import { listWorkingMembers } from './use-cases/list-working-members.ts';
import { logIn } from './use-cases/log-in.ts';
import { logInToConsole } from './use-cases/log-in-to-console.ts';
import { logOut } from './use-cases/log-out.ts';
import { readAccount } from './use-cases/read-account.ts';
import { readAudit } from './use-cases/read-audit.ts';
import { readFactors } from './use-cases/read-factors.ts';
import { refreshSession } from './use-cases/refresh-session.ts';
import { readPasskeys, registerPasskey, removePasskey } from './use-cases/register-passkey.ts';
import { leaveCompany, removeMember } from './use-cases/remove-member.ts';
import { removeTotp } from './use-cases/remove-totp.ts';
import { renewConsoleToken } from './use-cases/renew-console-token.ts';
import { resetPassword } from './use-cases/reset-password.ts';
import { revokeApiKey } from './use-cases/revoke-api-key.ts';
import { confirmTotp, setUpTotp } from './use-cases/set-up-totp.ts';
import { beginIdentitySignIn, finishIdentitySignIn } from './use-cases/sign-in-by-identity.ts';
import { signUp } from './use-cases/sign-up.ts';
import { stepUp, stepUpByPasskey } from './use-cases/step-up.ts';

/** The use cases of accounts that a request of the API may call. */
export const createAccountsServices = (
  deps: AccountDeps & Pick<Parameters<typeof changeAccount>[0], 'requireOpeningsOfCollector'>,
) => {
  const keyUses = createKeyUses(deps.db);
  return {
    acceptInvitation: acceptInvitation(deps),
    answerChallenge: answerChallenge(deps),
    answerChallengeOfConsole: answerChallengeOfConsole(deps),
    askForConfirmation: askForConfirmation(deps),
    askForEmailChange: askForEmailChange(deps),
    askForNewPasskey: askForNewPasskey(deps),
    askForPasskey: askForPasskey(deps),
    askForStepUp: askForStepUp(deps),
    askForVerification: askForVerification(deps),
    authenticate: authenticate({ ...deps, keyUses }),
    beginIdentitySignIn: beginIdentitySignIn(deps),
    changeAccount: changeAccount(deps),
    changePassword: changePassword(deps),
    changeRole: changeRole(deps),
    checkCorporateEmail: checkCorporateEmail(deps),
    confirmCompany: confirmCompany(deps),
    confirmEmail: confirmEmail(deps),
    confirmEmailChange: confirmEmailChange(deps),
    confirmTotp: confirmTotp(deps),
    createApiKey: createApiKey(deps),
    endAllSessions: endAllSessions(deps),
    endConsoleSession: endConsoleSession(deps),
    endOwnSession: endOwnSession(deps),
    enterByPasskey: enterByPasskey(deps),
    enterConsoleByPasskey: enterConsoleByPasskey(deps),
    exportAudit: exportAudit(deps),
    finishIdentitySignIn: finishIdentitySignIn(deps),
    forgetPassword: forgetPassword(deps),
    hasAccounts: hasAccounts(deps),
    inviteMember: inviteMember(deps),
    leaveCompany: leaveCompany(deps),
    listMembers: listMembers(deps),
    listSessions: listSessions(deps),
    listWorkingMembers: listWorkingMembers(deps),
    logIn: logIn(deps),
    logInToConsole: logInToConsole(deps),
    logOut: logOut(deps),
    readAccount: readAccount(deps),
    readAudit: readAudit(deps),
    readFactors: readFactors(deps),
    readPasskeys: readPasskeys(deps),
    refreshSession: refreshSession(deps),
    registerPasskey: registerPasskey(deps),
    removeMember: removeMember(deps),
    removePasskey: removePasskey(deps),
    removeTotp: removeTotp(deps),
    renewConsoleToken: renewConsoleToken(deps),
    resetPassword: resetPassword(deps),
    revokeApiKey: revokeApiKey(deps),
    sendInvitationAgain: sendInvitationAgain(deps),
    setUpTotp: setUpTotp(deps),
    signUp: signUp(deps),
    stepUp: stepUp(deps),
    stepUpByPasskey: stepUpByPasskey(deps),
    storeKeyUses: keyUses.store,
  };
};
