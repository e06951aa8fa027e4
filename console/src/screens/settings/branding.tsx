import { Button, ColorInput, TextInput } from '@mantine/core';
import type { Branding } from '@chancery/client';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { FormEvent, JSX } from 'react';
import { useEffect, useRef, useState } from 'react';
// The same colours that pages of the service show.
import { accentOf, grounds } from '../../../../src/intake/forms/branding/colours.ts';
import { api, type Versioned, versioned } from '../../api.ts';
import { fieldsOf } from '../../parts/fields.ts';
import { Conflict, SaveError, useSave } from '../../parts/save.tsx';
import { Section } from '../../parts/section.tsx';
import { Failed, Loading } from '../../parts/states.tsx';
import { commonTexts } from '../../texts/common.ts';
import { useTexts } from '../../texts/texts.ts';
import styles from './settings.module.css';
import { teamTexts } from './team-texts.ts';

const queryKey = ['branding'];
const readBranding = (): Promise<Versioned<Branding>> => versioned(api.GET('/api/v1/team/branding'));
const maxLogoBytes = 256 * 1_024;

/** The name, colour and logo on public pages, with a preview. */
export function BrandingSection({ teamName }: { teamName: string }): JSX.Element {
  const words = useTexts(teamTexts);
  const query = useQuery({ queryKey, queryFn: readBranding });
  return (
    <Section title={words.branding} text={words.brandingText}>
      {query.isPending && <Loading rows={3} />}
      {query.isError && <Failed error={query.error} retry={() => void query.refetch()} />}
      {query.data && <BrandingForm key={query.data.etag} version={query.data} teamName={teamName} />}
    </Section>
  );
}

/** A new logo, or `null` for none. */
type Logo = { file: Blob; url: string } | null | undefined;
type Values = { name: string | null; colour: string | null; logo?: string | null };

async function base64Of(file: Blob): Promise<string> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  return btoa(Array.from(bytes, (byte) => String.fromCodePoint(byte)).join(''));
}

function BrandingForm({ version: { data: branding, etag }, teamName }: { version: Versioned<Branding>; teamName: string }): JSX.Element {
  const words = useTexts(teamTexts);
  const common = useTexts(commonTexts);
  const client = useQueryClient();
  const [name, setName] = useState(branding.name ?? '');
  const [colour, setColour] = useState(branding.colour ?? '');
  const [logo, setLogo] = useState<Logo>();
  const [fileError, setFileError] = useState<string>();
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => () => (logo ? URL.revokeObjectURL(logo.url) : undefined), [logo]);
  const save = useSave<Values, Branding>({
    etag,
    send: (body, ifMatch) => versioned(api.PATCH('/api/v1/team/branding', { body, params: { header: { 'If-Match': ifMatch } } })),
    reload: readBranding,
    done: (version) => client.setQueryData(queryKey, version),
  });
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const { name: shownName } = fieldsOf(event, 'name');
    await save.save({
      name: shownName || null,
      colour: colour || null,
      ...(logo === undefined ? {} : { logo: logo && (await base64Of(logo.file)) }),
    });
  };
  const choose = (file: File | undefined) => {
    if (file === undefined) return;
    const isTooLarge = file.size > maxLogoBytes;
    setFileError(isTooLarge ? words.logoTooLarge : undefined);
    if (!isTooLarge) setLogo({ file, url: URL.createObjectURL(file) });
  };
  const shownLogo = logo === undefined ? branding.logoUrl : logo?.url;
  const { conflict } = save;
  return (
    <div className={styles.branding}>
      <form className={styles.form} onSubmit={(event) => void submit(event)}>
        <TextInput
          name="name"
          label={words.shownName}
          description={words.shownNameText}
          placeholder={teamName}
          value={name}
          onChange={({ currentTarget: { value } }) => setName(value)}
          maxLength={200}
        />
        <ColorInput
          label={words.colour}
          description={words.colourText}
          placeholder={words.noColour}
          format="hex"
          value={colour}
          onChange={setColour}
          withPicker={false}
          swatches={swatches}
          withEyeDropper={false}
        />
        <fieldset className={styles.group}>
          <legend>{words.logo}</legend>
          <p className="soft">{words.logoText}</p>
          {fileError !== undefined && <p role="alert">{fileError}</p>}
          <input
            ref={input}
            type="file"
            accept="image/png,image/jpeg"
            aria-label={words.chooseLogo}
            hidden
            onChange={({ currentTarget }) => choose(currentTarget.files?.[0])}
          />
          <div className={styles.pair}>
            <Button variant="default" size="sm" onClick={() => input.current?.click()}>
              {words.chooseLogo}
            </Button>
            {shownLogo !== undefined && (
              <Button variant="subtle" size="sm" onClick={() => setLogo(null)}>
                {words.removeLogo}
              </Button>
            )}
          </div>
        </fieldset>
        <SaveError save={save} />
        {conflict && (
          <Conflict
            save={save}
            changedAt={conflict.theirs.data.updatedAt}
            differences={[
              { label: words.shownName, mine: conflict.mine.name, theirs: conflict.theirs.data.name },
              { label: words.colour, mine: conflict.mine.colour, theirs: conflict.theirs.data.colour },
            ]}
          />
        )}
        <div>
          <Button type="submit" variant="default" loading={save.isSaving}>
            {common.save}
          </Button>
        </div>
      </form>
      <Preview name={name.trim() || teamName} colour={colour} logo={shownLogo} />
    </div>
  );
}

const swatches = ['#17594a', '#1f4e79', '#5b3a8c', '#8c2f39', '#9a5b13', '#37474f'];
/** The colour of pages without an own one. */
const usualColour = '#17594a';

/** A page with the branding, in light and dark mode. */
function Preview({ name, colour, logo }: { name: string; colour: string; logo: string | undefined }): JSX.Element {
  const words = useTexts(teamTexts);
  const accent = accentOf(colour) ?? accentOf(usualColour);
  const modes = [
    { label: words.previewLight, ground: grounds.light, ink: '#1c1b18', back: accent?.light, text: accent?.onLight },
    { label: words.previewDark, ground: grounds.dark, ink: '#f2f0ea', back: accent?.dark, text: accent?.onDark },
  ];
  return (
    <div className={styles.previews} role="group" aria-label={words.preview}>
      {modes.map(({ label, ground, ink, back, text }) => (
        <figure key={label}>
          <div className={styles.page} style={{ background: ground, color: ink }}>
            <p className={styles.brand}>
              {logo !== undefined && <img src={logo} alt="" />}
              <span>{name}</span>
            </p>
            <p className={styles.pageTitle}>{words.previewTitle}</p>
            <span className={styles.pageButton} style={{ background: back, color: text }}>
              {words.previewButton}
            </span>
          </div>
          <figcaption className="soft">{label}</figcaption>
        </figure>
      ))}
    </div>
  );
}
