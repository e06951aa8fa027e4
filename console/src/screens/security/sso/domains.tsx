import { Badge, Button, TextInput } from '@mantine/core';
import type { SsoConnection } from '@chancery/client';
import type { FormEvent, JSX } from 'react';
import { useState } from 'react';
import { api, type Versioned, versioned } from '../../../api.ts';
import { useAction } from '../../../parts/action.ts';
import { ConfirmButton } from '../../../parts/confirm.tsx';
import { CopyField } from '../../../parts/copy-field.tsx';
import { fieldsOf } from '../../../parts/fields.ts';
import { Section } from '../../../parts/section.tsx';
import { toast } from '../../../parts/toasts.tsx';
import { ProblemNotice } from '../../../problems/problem-notice.tsx';
import { useTexts } from '../../../texts/texts.ts';
import styles from '../security.module.css';
import { domainsIn, useRenewConnection } from './sso-data.ts';
import { ssoTexts } from './texts.ts';

/** The domains of a connection, each with the DNS record that verifies it. */
export function Domains({ version: { data: connection, etag } }: { version: Versioned<SsoConnection> }): JSX.Element {
  const { domain: words } = useTexts(ssoTexts);
  const renew = useRenewConnection();
  const { run, isBusy, error } = useAction();
  const [said, setSaid] = useState<string>();
  const { id, domains } = connection;
  const at = { params: { path: { id }, header: { 'If-Match': etag } } };
  const isWaiting = domains.some(({ verified }) => !verified);
  const check = () =>
    run(async () => {
      setSaid(undefined);
      const checked = await versioned(api.POST('/api/v1/team/sso/{id}/verify-domains', at));
      const count = (all: SsoConnection['domains']) => all.filter(({ verified }) => verified).length;
      const found = count(checked.data.domains) - count(domains);
      if (found > 0) toast(words.found(found));
      else setSaid(words.notFound);
      renew(checked);
    });
  const put = async (names: string[]) => renew(await versioned(api.PATCH('/api/v1/team/sso/{id}', { ...at, body: { domains: names } })));
  const add = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    const { name } = fieldsOf(event, 'name');
    void run(async () => {
      await put([...domains.map((one) => one.name), ...domainsIn(name)]);
      form.reset();
    });
  };
  return (
    <Section
      title={words.title}
      text={words.text}
      actions={
        isWaiting && (
          <Button variant="default" loading={isBusy} onClick={() => void check()}>
            {words.check}
          </Button>
        )
      }
    >
      {said !== undefined && (
        <p className={styles.notice} role="status">
          {said}
        </p>
      )}
      {error !== undefined && <ProblemNotice error={error} />}
      {domains.length === 0 && <p>{words.none}</p>}
      {domains.length > 0 && (
        <ul className={styles.domains}>
          {domains.map(({ name, verified, record }) => (
            <li key={name}>
              <div className={styles.domain}>
                <h3>{name}</h3>
                <Badge variant="light" color={verified ? 'green' : 'gray'} radius="sm" tt="none" fw={500}>
                  {verified ? words.verified : words.notVerified}
                </Badge>
                <ConfirmButton
                  size="xs"
                  label={words.remove}
                  name={`${words.remove}: ${name}`}
                  title={words.removeTitle}
                  action={() => put(domains.filter((one) => one.name !== name).map((one) => one.name))}
                >
                  <p>{words.removeText(name)}</p>
                </ConfirmButton>
              </div>
              {!verified && (
                <>
                  <p className="soft">{words.type}</p>
                  <CopyField label={words.name} value={record.name} />
                  <CopyField label={words.value} value={record.value} />
                </>
              )}
            </li>
          ))}
        </ul>
      )}
      <form className={styles.line} onSubmit={add}>
        <TextInput name="name" label={words.add} placeholder="example.com" required maxLength={253} />
        <Button type="submit" variant="default" loading={isBusy}>
          {words.addNow}
        </Button>
      </form>
    </Section>
  );
}
