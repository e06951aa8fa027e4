import { Button, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import type { FormEvent, JSX } from 'react';
import { useMemo, useState } from 'react';
import { api, ok } from '../../api.ts';
import { useAction } from '../../parts/action.ts';
import { type FormSchema, startOf, withoutEmpty } from '../../parts/schema-form/schema.ts';
import { SchemaField } from '../../parts/schema-form/schema-field.tsx';
import { Screen } from '../../parts/screen.tsx';
import { Empty, Failed, Loading } from '../../parts/states.tsx';
import { ProblemNotice } from '../../problems/problem-notice.tsx';
import { useClaims } from '../../session/use-session.ts';
import { commonTexts } from '../../texts/common.ts';
import { useTexts } from '../../texts/texts.ts';
import { ownCopyOf, useLibrary, useTemplate } from './template-data.ts';
import styles from './templates.module.css';
import { templateTexts } from './texts.ts';

/** A template of the team, with a form for its values. */
export function FillTemplate(): JSX.Element {
  const { id = '' } = useParams({ strict: false });
  const query = useTemplate(id);
  if (query.isPending) return <Loading />;
  if (query.isError) return <Failed error={query.error} retry={() => void query.refetch()} />;
  const { name, description, schema } = query.data;
  return <Fill key={id} name={name} description={description} schema={schema} templateId={() => Promise.resolve(id)} />;
}

/** A template of the library. Its first document copies it to the team. */
export function FillLibraryTemplate(): JSX.Element {
  const { slug = '' } = useParams({ strict: false });
  const { missing } = useTexts(commonTexts);
  const query = useLibrary();
  if (query.isPending) return <Loading />;
  if (query.isError) return <Failed error={query.error} retry={() => void query.refetch()} />;
  const entry = query.data.find((one) => one.slug === slug);
  if (entry === undefined) return <Empty title={missing.title}>{missing.text}</Empty>;
  return <Fill key={slug} {...entry} templateId={() => ownCopyOf(slug)} />;
}

type FillProps = { name: string; description: string | undefined; schema: FormSchema; templateId: () => Promise<string> };

function Fill({ name, description, schema, templateId }: FillProps): JSX.Element {
  const words = useTexts(templateTexts);
  const { askForSignatures } = useTexts(commonTexts);
  const { scopes } = useClaims();
  const navigate = useNavigate();
  const client = useQueryClient();
  const { run, isBusy, error } = useAction();
  const [title, setTitle] = useState(name);
  const [values, setValues] = useState(() => startOf(schema, schema));
  const example = useMemo(() => (Array.isArray(schema.examples) ? schema.examples[0] : undefined), [schema]);
  const create = (then: 'open' | 'sign') =>
    run(async () => {
      const id = await templateId();
      const body = { title: title.trim(), data: withoutEmpty(values) as Record<string, unknown> };
      const document = await ok(api.POST('/api/v1/document-templates/{id}/documents', { params: { path: { id } }, body }));
      await client.invalidateQueries({ queryKey: ['document_template', 'list'] });
      if (then === 'sign') await navigate({ to: '/signatures/new', search: { document: document.id } });
      else await navigate({ to: '/documents/$id', params: { id: document.id } });
    });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const { submitter } = event.nativeEvent as SubmitEvent;
    void create((submitter as HTMLButtonElement | null)?.value === 'open' ? 'open' : 'sign');
  };
  const maySign = scopes.has('signatures:write');
  return (
    <Screen title={name}>
      <form className={styles.form} onSubmit={submit}>
        {description !== undefined && <p className="soft">{description}</p>}
        <TextInput
          label={words.documentTitle}
          value={title}
          maxLength={1_000}
          required
          onChange={({ currentTarget: { value } }) => setTitle(value)}
        />
        <SchemaField root={schema} schema={schema} value={values} example={example} required change={setValues} />
        {error !== undefined && <ProblemNotice error={error} />}
        <div className={styles.choices}>
          {maySign && (
            <Button type="submit" value="sign" loading={isBusy}>
              {words.next(askForSignatures)}
            </Button>
          )}
          <Button type="submit" value="open" variant={maySign ? 'default' : 'filled'} loading={isBusy}>
            {words.create}
          </Button>
        </div>
      </form>
    </Screen>
  );
}
