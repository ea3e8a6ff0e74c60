import { useState } from 'react';
import { OnDemand } from '@/shared/page/OnDemand';

const dialogs = {
  language: async () => (await import('./LanguageSheet')).LanguageSheet,
  logout: async () => (await import('./LogoutDialog')).LogoutDialog,
};

/** The layers over a page for choosing a language, and for logging out. */
export function useAccountDialogs() {
  const [open, setOpen] = useState<keyof typeof dialogs | null>(null);
  const close = () => setOpen(null);
  const shown = open && (
    <OnDemand
      key={open}
      load={dialogs[open]}
      onMissing={close}
      props={{ open: true, onClose: close }}
    />
  );
  return { shown, open: setOpen, close };
}
