import { Button, Checkbox, NativeSelect, TextInput } from '@mantine/core';
import type { SsoConnection } from '@chancery/client';
import type { FormEvent, JSX } from 'react';
import { api, type Versioned, versioned } from '../../../api.ts';
import { fieldsOf } from '../../../parts/fields.ts';
import { PasswordField } from '../../../parts/password-field.tsx';
import { Conflict, type Difference, SaveError, useSave } from '../../../parts/save.tsx';
import { RowOf, Rows, Section } from '../../../parts/section.tsx';
import { Time } from '../../../parts/time.tsx';
import { commonTexts } from '../../../texts/common.ts';
import { roleTexts } from '../../../texts/roles.ts';
import { useTexts } from '../../../texts/texts.ts';
import styles from '../security.module.css';
import { readConnection, useRenewConnection } from './sso-data.ts';
import { ssoTexts } from './texts.ts';

const switches = ['isActive', 'enforce', 'jit', 'trustMfa', 'trustHome'] as const;
type Switches = Record<(typeof switches)[number], boolean>;
type SettingsBody = Switches & {
  defaultRole: 'member' | 'viewer';
  subjectClaim?: string;
  clientId?: string;
  clientSecret?: string;
  emailTrust?: 'claim' | 'domain';
  nameIdFormat?: 'persistent' | 'emailAddress';
  allowIdpInitiated?: boolean;
};

/** Reads the form. An empty secret keeps the present one. */
function bodyOf(event: FormEvent<HTMLFormElement>, isSaml: boolean): SettingsBody {
  const names = ['allowIdpInitiated', 'defaultRole', 'emailTrust', 'nameIdFormat', 'subjectClaim', 'clientId', 'clientSecret'] as const;
  const fields = fieldsOf(event, ...switches, ...names);
  const { subjectClaim, clientId, clientSecret } = fields;
  const ofSaml = {
    nameIdFormat: fields.nameIdFormat === 'emailAddress' ? ('emailAddress' as const) : ('persistent' as const),
    allowIdpInitiated: fields.allowIdpInitiated !== '',
  };
  const ofOidc = {
    clientId,
    emailTrust: fields.emailTrust === 'domain' ? ('domain' as const) : ('claim' as const),
    ...(clientSecret === '' ? {} : { clientSecret }),
  };
  return {
    ...(Object.fromEntries(switches.map((name) => [name, fields[name] !== ''])) as Switches),
    defaultRole: fields.defaultRole === 'viewer' ? 'viewer' : 'member',
    ...(subjectClaim === '' ? {} : { subjectClaim }),
    ...(isSaml ? ofSaml : ofOidc),
  };
}

/** The settings of a connection. A secret that exists is never shown. */
export function ConnectionSettings({ version: { data: connection, etag } }: { version: Versioned<SsoConnection> }): JSX.Element {
  const { settings: words } = useTexts(ssoTexts);
  const common = useTexts(commonTexts);
  const roles = useTexts(roleTexts);
  const renew = useRenewConnection();
  const { id, saml } = connection;
  const save = useSave<SettingsBody, SsoConnection>({
    etag,
    send: (body, ifMatch) =>
      versioned(api.PATCH('/api/v1/team/sso/{id}', { params: { path: { id }, header: { 'If-Match': ifMatch } }, body })),
    reload: () => readConnection(id),
    done: renew,
  });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    void save.save(bodyOf(event, saml !== undefined));
  };
  const { conflict } = save;
  const isOn = (name: keyof Switches) => conflict?.mine[name] ?? connection[name];
  const differences = switches
    .filter((name) => conflict !== undefined && conflict.mine[name] !== conflict.theirs.data[name])
    .map((name): Difference => {
      const [mine, theirs] = [conflict?.mine[name], conflict?.theirs.data[name]].map((one) => (one === true ? '✓' : '–'));
      return { label: words[name], mine, theirs };
    });
  const check = (name: keyof Switches, text?: string) => (
    <Checkbox name={name} label={words[name]} description={text} defaultChecked={isOn(name)} />
  );
  return (
    <Section title={words.title}>
      <form key={etag} className={styles.form} onSubmit={submit}>
        {check('isActive', words.isActiveText)}
        {check('enforce', words.enforceText)}
        {check('jit', words.jitText)}
        {check('trustMfa')}
        {check('trustHome', words.trustHomeText)}
        <NativeSelect
          name="defaultRole"
          label={words.defaultRole}
          defaultValue={connection.defaultRole}
          data={(['member', 'viewer'] as const).map((value) => ({ value, label: roles[value] }))}
        />
        {saml ? <SamlFields saml={saml} /> : <OidcFields connection={connection} />}
        <TextInput name="subjectClaim" label={words.subjectClaim} defaultValue={connection.subjectClaim} maxLength={255} />
        <SaveError save={save} />
        {conflict && <Conflict save={save} changedAt={conflict.theirs.data.updatedAt} differences={differences} />}
        <div>
          <Button type="submit" variant="default" loading={save.isSaving}>
            {common.save}
          </Button>
        </div>
      </form>
      {saml && <Certificates saml={saml} />}
    </Section>
  );
}

function OidcFields({ connection: { emailTrust, clientId } }: { connection: SsoConnection }): JSX.Element {
  const { settings: words, new: created } = useTexts(ssoTexts);
  return (
    <>
      <NativeSelect
        name="emailTrust"
        label={words.emailTrust}
        defaultValue={emailTrust}
        data={(['claim', 'domain'] as const).map((value) => ({ value, label: words.emailTrusts[value] }))}
      />
      <TextInput name="clientId" label={created.clientId} defaultValue={clientId} required maxLength={255} />
      <PasswordField name="clientSecret" label={words.newSecret} description={words.newSecretText} autoComplete="off" maxLength={1_024} />
    </>
  );
}

type SamlProps = { saml: NonNullable<SsoConnection['saml']> };

function SamlFields({ saml: { nameIdFormat, allowIdpInitiated } }: SamlProps): JSX.Element {
  const { settings: words } = useTexts(ssoTexts);
  return (
    <>
      <NativeSelect
        name="nameIdFormat"
        label={words.nameIdFormat}
        defaultValue={nameIdFormat}
        data={(['persistent', 'emailAddress'] as const).map((value) => ({ value, label: words.nameIdFormats[value] }))}
      />
      <Checkbox name="allowIdpInitiated" label={words.allowIdpInitiated} defaultChecked={allowIdpInitiated} />
    </>
  );
}

function Certificates({ saml: { certificates } }: SamlProps): JSX.Element {
  const { settings: words } = useTexts(ssoTexts);
  return (
    <>
      <h3>{words.certificates}</h3>
      <Rows label={words.certificates}>
        {certificates.map(({ sha256, expiresAt }) => (
          <RowOf
            key={sha256}
            title={<code>{sha256.slice(0, 16)}…</code>}
            detail={
              <>
                {words.ends} <Time at={expiresAt} />
              </>
            }
          />
        ))}
      </Rows>
    </>
  );
}
