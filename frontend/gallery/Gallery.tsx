import { useState } from 'react';
import { languageName } from '@/i18n/language-name';
import { availableLanguages } from '@/i18n/texts';
import { SelectField } from '@/ui/form/SelectField';
import styles from './Gallery.module.css';
import { type Choice, choices, readSettings, writeSettings } from './settings';

const names: Record<Choice, string> = {
  theme: 'Theme',
  width: 'Width, px',
  text: 'Text, %',
  motion: 'Motion',
};

const languages = availableLanguages.map((lang) => ({ value: lang, label: languageName(lang) }));

/** The switches, and the specimens below on a page of the chosen width. */
export function Gallery() {
  const [settings, setSettings] = useState(() => readSettings(window.location.search));
  const change = (name: keyof typeof settings, value: string) => {
    const next = { ...settings, [name]: value };
    window.history.replaceState(null, '', writeSettings(next));
    setSettings(next);
  };
  return (
    <main className={styles.gallery}>
      <h1 className="visually-hidden">Gallery</h1>
      <div className={styles.switches}>
        {(Object.keys(names) as Choice[]).map((name) => (
          <SelectField
            key={name}
            label={names[name]}
            options={choices[name].map((value) => ({ value: `${value}`, label: value }))}
            value={settings[name]}
            onChange={(value) => change(name, value)}
          />
        ))}
        <SelectField
          label="Language"
          options={languages.map(({ value, label }) => ({ value: `${value}`, label }))}
          value={settings.lang}
          onChange={(lang) => change('lang', lang)}
        />
      </div>
      <iframe
        className={styles.specimens}
        title="Specimens"
        src={`specimens.html${writeSettings(settings)}`}
        style={{ width: `${settings.width}px` }}
      />
    </main>
  );
}
