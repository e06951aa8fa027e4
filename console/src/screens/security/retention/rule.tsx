import { Button } from '@mantine/core';
import type { RetentionRule } from '@chancery/client';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import type { JSX } from 'react';
import { api, ok, type Versioned, versioned } from '../../../api.ts';
import { ConfirmButton } from '../../../parts/confirm.tsx';
import { Facts } from '../../../parts/facts.tsx';
import { Name, useName } from '../../../parts/name.tsx';
import { Section } from '../../../parts/section.tsx';
import { Empty, Failed, Loading } from '../../../parts/states.tsx';
import { toast } from '../../../parts/toasts.tsx';
import { ApiProblem } from '../../../problems/api-problem.ts';
import { commonTexts } from '../../../texts/common.ts';
import { useTexts } from '../../../texts/texts.ts';
import { FolderSettings } from '../folder-settings.tsx';
import { RuleForm } from './rule-form.tsx';
import { retentionTexts } from './texts.ts';
import { useRuleWords } from './use-rule-words.ts';

/** Returns null for a folder without a rule of its own. */
async function readRule(id: string): Promise<Versioned<RetentionRule> | null> {
  try {
    return await versioned(api.GET('/api/v1/smartdoc/folders/{id}/retention', { params: { path: { id } } }));
  } catch (error) {
    if (error instanceof ApiProblem && error.status === 404) return null;
    throw error;
  }
}

/** The retention rule of a folder. */
export function RulePage(): JSX.Element {
  const { id } = useParams({ from: '/shell/settings/retention/$id' });
  const words = useTexts(retentionTexts);
  const { missing } = useTexts(commonTexts);
  const name = useName(id);
  const query = useQuery({ queryKey: ['folder', id, 'retention'], queryFn: () => readRule(id) });
  const isMissing = name.isSuccess && name.data?.type !== 'folder';
  return (
    <FolderSettings title={words.title}>
      {(query.isPending || name.isPending) && <Loading />}
      {query.isError && !query.data && <Failed error={query.error} retry={() => void query.refetch()} />}
      {isMissing && <Empty title={missing.title}>{missing.text}</Empty>}
      {query.data !== undefined && name.data?.type === 'folder' && (
        <>
          <About id={id} name={name.data.name ?? ''} version={query.data} />
          <RuleForm key={query.data?.etag} id={id} version={query.data} />
        </>
      )}
    </FolderSettings>
  );
}

function About({ id, name, version }: { id: string; name: string; version: Versioned<RetentionRule> | null }): JSX.Element {
  const words = useTexts(retentionTexts);
  const client = useQueryClient();
  const { ruleOf, stateOf } = useRuleWords();
  const rule = version?.data;
  const waiting = rule?.waitingDocuments ?? 0;
  const renew = () => client.invalidateQueries({ queryKey: ['folder'] });
  const confirm = async () => {
    await ok(api.POST('/api/v1/smartdoc/folders/{id}/retention/confirm', { params: { path: { id } } }));
    toast(words.confirmed);
    await renew();
  };
  const remove = async () => {
    const params = { path: { id }, header: { 'If-Match': version?.etag ?? '' } };
    await ok(api.DELETE('/api/v1/smartdoc/folders/{id}/retention', { params }));
    toast(words.removed);
    await renew();
  };
  return (
    <Section
      title={name}
      text={rule === undefined ? words.noRule : undefined}
      actions={
        <>
          <Button variant="default" renderRoot={(props) => <Link {...props} to="/documents" search={{ folder: id }} />}>
            {words.openFolder}
          </Button>
          {waiting > 0 && (
            <ConfirmButton label={words.confirm} title={words.confirmTitle} verb={words.confirmNow} action={confirm}>
              <p>{words.confirmText(waiting)}</p>
            </ConfirmButton>
          )}
          {rule !== undefined && (
            <ConfirmButton label={words.remove} title={words.removeNow} verb={words.removeNow} action={remove}>
              <p>{words.removeText}</p>
            </ConfirmButton>
          )}
        </>
      }
    >
      {rule !== undefined && (
        <Facts facts={{ [words.rule]: ruleOf(rule), [words.state]: stateOf(rule), [words.setBy]: <Name id={rule.setBy} /> }} />
      )}
    </Section>
  );
}
