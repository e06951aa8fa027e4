import { Button, FileInput, SegmentedControl, Textarea, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import type { FormEvent, JSX } from 'react';
import { useState } from 'react';
import { api, ok } from '../../../api.ts';
import { useAction } from '../../../parts/action.ts';
import { fieldsOf } from '../../../parts/fields.ts';
import { PasswordField } from '../../../parts/password-field.tsx';
import { Section } from '../../../parts/section.tsx';
import { ProblemNotice } from '../../../problems/problem-notice.tsx';
import { commonTexts } from '../../../texts/common.ts';
import { useTexts } from '../../../texts/texts.ts';
import { SettingsPage } from '../../settings/settings-page.tsx';
import styles from '../security.module.css';
import { domainsIn } from './sso-data.ts';
import { ssoTexts } from './texts.ts';

type Protocol = 'oidc' | 'saml';
type ProviderSource = 'url' | 'xml' | 'fields';

/** The form that connects a provider. */
export function NewConnection(): JSX.Element {
  const { new: words, protocols } = useTexts(ssoTexts);
  const { cancel } = useTexts(commonTexts);
  const client = useQueryClient();
  const navigate = useNavigate();
  const [kind, setKind] = useState<Protocol>('oidc');
  const [source, setSource] = useState<ProviderSource>('url');
  const [file, setFile] = useState<File | null>(null);
  const { run, isBusy, error } = useAction();
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const fields = fieldsOf(event, 'issuer', 'clientId', 'clientSecret', 'metadataUrl', 'ssoUrl', 'certificate', 'domains');
    const { issuer, clientId, clientSecret, metadataUrl, ssoUrl, certificate } = fields;
    void run(async () => {
      const provider = {
        url: { metadataUrl },
        xml: { metadataXml: (await file?.text()) ?? '' },
        fields: { issuer, ssoUrl, certificates: [certificate] },
      };
      const body = {
        kind,
        ...(kind === 'oidc' ? { issuer, clientId, clientSecret } : provider[source]),
        domains: domainsIn(fields.domains),
      };
      const { id } = await ok(api.POST('/api/v1/team/sso', { body }));
      await client.invalidateQueries({ queryKey: ['sso'] });
      await navigate({ to: '/settings/sso/$id', params: { id } });
    });
  };
  return (
    <SettingsPage>
      <Section title={words.title} text={words.text}>
        <form className={styles.form} onSubmit={submit}>
          <SegmentedControl
            aria-label={words.title}
            data={[
              { value: 'oidc', label: protocols.oidc },
              { value: 'saml', label: protocols.saml },
            ]}
            value={kind}
            onChange={setKind}
          />
          {kind === 'oidc' ? <OidcFields /> : <SamlFields source={source} setSource={setSource} file={file} setFile={setFile} />}
          <Textarea name="domains" label={words.domains} description={words.domainsText} rows={2} />
          {error !== undefined && <ProblemNotice error={error} />}
          <div className={styles.buttons}>
            <Button type="submit" loading={isBusy}>
              {words.create}
            </Button>
            <Button variant="subtle" renderRoot={(props) => <Link {...props} to="/settings/sso" />}>
              {cancel}
            </Button>
          </div>
        </form>
      </Section>
    </SettingsPage>
  );
}

function OidcFields(): JSX.Element {
  const { new: words } = useTexts(ssoTexts);
  return (
    <>
      <TextInput name="issuer" type="url" label={words.issuer} description={words.issuerText} required maxLength={2_048} />
      <TextInput name="clientId" label={words.clientId} description={words.clientIdText} required maxLength={255} />
      <PasswordField
        name="clientSecret"
        label={words.clientSecret}
        description={words.clientSecretText}
        autoComplete="off"
        required
        maxLength={1_024}
      />
    </>
  );
}

type SamlFieldsProps = {
  source: ProviderSource;
  setSource: (source: ProviderSource) => void;
  file: File | null;
  setFile: (file: File | null) => void;
};

function SamlFields({ source, setSource, file, setFile }: SamlFieldsProps): JSX.Element {
  const { new: words } = useTexts(ssoTexts);
  return (
    <>
      <SegmentedControl
        aria-label={words.source}
        orientation={matchMedia('(max-width: 36rem)').matches ? 'vertical' : 'horizontal'}
        data={(['url', 'xml', 'fields'] as const).map((value) => ({ value, label: words.sources[value] }))}
        value={source}
        onChange={setSource}
      />
      {source === 'url' && (
        <TextInput name="metadataUrl" type="url" label={words.metadataUrl} description={words.metadataUrlText} required maxLength={2_048} />
      )}
      {source === 'xml' && (
        <FileInput
          label={words.metadataFile}
          placeholder={words.chooseFile}
          accept=".xml,application/xml,text/xml"
          value={file}
          onChange={setFile}
          required
        />
      )}
      {source === 'fields' && (
        <>
          <TextInput name="issuer" label={words.entityId} required maxLength={1_024} />
          <TextInput name="ssoUrl" type="url" label={words.ssoUrl} required maxLength={2_048} />
          <Textarea name="certificate" label={words.certificate} required rows={4} maxLength={8_192} />
        </>
      )}
    </>
  );
}
