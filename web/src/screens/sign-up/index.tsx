import { Link } from 'wouter';
import { failedOfResponse } from '../../api/problem.ts';
import { publicQuita } from '../../api/quita.ts';
import { signIn } from '../../session/session.ts';
import { useConsole } from '../../shell/use-console.ts';
import { SIGN_IN, SIGN_UP } from '../../texts/sign-in.ts';
import { Button } from '../../ui/button.tsx';
import { CheckboxField, NewPasswordField, SelectField, TextField } from '../../ui/field.tsx';
import { ProblemSummary, Refused, textOf, useSubmit } from '../../ui/form.tsx';
import { beginWithExample } from '../../use-example.ts';
import styles from '../sign-in/door.module.css';
import { Door } from '../sign-in/door.tsx';

type Body = Parameters<typeof publicQuita.signUp>[0]['body'];

export default function SignUp() {
  // The first person of a new service looks around; whoever joins later knows what it is.
  const facts = useConsole().data;
  const isFirst = facts?.hasAccounts === false && facts.sandboxOnly;
  const submit = useSubmit(async (form) => {
    const email = textOf(form, 'email');
    const password = String(form.get('password') ?? '');
    const cnpj = textOf(form, 'cnpj');
    const segment = textOf(form, 'segment') as NonNullable<Body['segment']> | '';
    await publicQuita.signUp({
      body: { name: textOf(form, 'name'), email, password, ...(cnpj && { cnpj }), ...(segment && { segment }) },
    });
    if (form.has('example')) beginWithExample();
    // The token of the sign-up cannot be renewed, so the person signs in with the password that is still in memory.
    const refused = await signIn({ email, password, remember: false });
    if (refused !== undefined) throw new Refused(await failedOfResponse(refused));
  });
  if (facts?.signupOpen === false) {
    return (
      <Door title={SIGN_UP.closedTitle} lead={SIGN_UP.closedText} after={<Link to="/entrar">{SIGN_IN.title}</Link>}>
        {null}
      </Door>
    );
  }
  return (
    <Door
      title={SIGN_UP.title}
      lead={SIGN_UP.lead}
      after={<Link to="/entrar">{`${SIGN_UP.haveAccount} ${SIGN_IN.title}`}</Link>}
    >
      {/* The server names all problems at once, each beside its field. */}
      <form noValidate onSubmit={submit.onSubmit}>
        <ProblemSummary failed={submit.failed} />
        <TextField
          label={SIGN_UP.name}
          hint={SIGN_UP.nameHint}
          name="name"
          autoComplete="organization"
          maxLength={200}
          required
          error={submit.errorAt('/name')}
        />
        <TextField
          label={SIGN_UP.email}
          hint={SIGN_UP.emailHint}
          name="email"
          type="email"
          autoComplete="username"
          required
          error={submit.errorAt('/email')}
        />
        <NewPasswordField
          label={SIGN_UP.password}
          hint={SIGN_UP.passwordHint}
          name="password"
          error={submit.errorAt('/password')}
        />
        <TextField
          label={SIGN_UP.cnpj}
          hint={SIGN_UP.cnpjHint}
          name="cnpj"
          autoComplete="off"
          maxLength={20}
          error={submit.errorAt('/cnpj')}
        />
        <SelectField
          label={SIGN_UP.segment}
          name="segment"
          options={SIGN_UP.segments}
          optional
          error={submit.errorAt('/segment')}
        />
        {isFirst && <CheckboxField label={SIGN_UP.example} hint={SIGN_UP.exampleHint} name="example" defaultChecked />}
        <div className={styles['submit']}>
          <Button type="submit" kind="primary" busy={submit.busy}>
            {SIGN_UP.submit}
          </Button>
        </div>
      </form>
    </Door>
  );
}
