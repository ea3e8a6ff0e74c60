import { type ReactNode, useEffect, useState } from 'react';
import { Button } from '@/ui/controls/Button';
import { ToastProvider } from '@/ui/feedback/ToastProvider';
import { showToast, type ToastKind } from '@/ui/feedback/toast-store';
import { showToastWithAction } from '@/ui/feedback/toast-with-action';
import { ChoiceSheet } from '@/ui/layers/ChoiceSheet';
import { ConfirmDialog } from '@/ui/layers/ConfirmDialog';
import { Dialog } from '@/ui/layers/Dialog';
import { Sheet } from '@/ui/layers/Sheet';
import { TransactionPasswordDialog } from '@/ui/pin/TransactionPasswordDialog';
import type { Entry } from '../entry';
import { long } from '../samples';

type Shown = { open: boolean; onClose: () => void };

/** Open at first. Once closed, it can be opened again. */
function Opened({ children }: { children: (layer: Shown) => ReactNode }) {
  const [open, setOpen] = useState(true);
  return (
    <main>
      <Button onClick={() => setOpen(true)}>Open</Button>
      {children({ open, onClose: () => setOpen(false) })}
    </main>
  );
}

function Toast({ kind, text = 'Copied' }: { kind: ToastKind; text?: string }) {
  useEffect(() => showToast(text, kind, 3_600_000), [kind, text]);
  return <ToastProvider />;
}

function Undo({ text = 'Plan paused' }: { text?: string }) {
  useEffect(() => showToastWithAction(text, { label: 'Undo', run: () => {} }), [text]);
  return <ToastProvider />;
}

const actions = <Button>Apply</Button>;
const paragraphs = Array.from({ length: 12 }, (_, at) => <p key={`${at}`}>{long}</p>);

function Confirm({ text = 'Nothing more is delivered.', danger = false, busy = false }) {
  return (
    <Opened>
      {(layer) => (
        <ConfirmDialog
          {...layer}
          title="Stop this plan?"
          confirmLabel="Stop plan"
          onConfirm={layer.onClose}
          danger={danger}
          busy={busy}
        >
          {text}
        </ConfirmDialog>
      )}
    </Opened>
  );
}

function Choice({ extra = 'Solana' }) {
  const [network, setNetwork] = useState('TRON');
  const options = ['TRON', 'Ethereum', 'Polygon', extra].map((name) => ({
    value: name,
    label: name,
  }));
  return (
    <Opened>
      {(layer) => (
        <ChoiceSheet
          {...layer}
          title="Network"
          options={options}
          value={network}
          onChoose={setNetwork}
        />
      )}
    </Opened>
  );
}

export const layers: readonly Entry[] = [
  {
    component: 'ChoiceSheet',
    covers: true,
    states: { plain: () => <Choice />, 'long text': () => <Choice extra={long} /> },
  },
  {
    component: 'Sheet',
    and: ['LayerTitle'],
    covers: true,
    states: {
      plain: () => (
        <Opened>
          {(layer) => (
            <Sheet {...layer} title="Funding details" actions={actions}>
              Consumed and settled.
            </Sheet>
          )}
        </Opened>
      ),
      'long text': () => (
        <Opened>
          {(layer) => (
            <Sheet {...layer} title={long} actions={actions}>
              {paragraphs}
            </Sheet>
          )}
        </Opened>
      ),
    },
  },
  {
    component: 'Dialog',
    covers: true,
    states: {
      plain: () => (
        <Opened>
          {(layer) => (
            <Dialog {...layer} title="Customer service" actions={actions}>
              Choose how to ask.
            </Dialog>
          )}
        </Opened>
      ),
      'long text': () => (
        <Opened>
          {(layer) => (
            <Dialog {...layer} title={long} actions={actions}>
              {paragraphs}
            </Dialog>
          )}
        </Opened>
      ),
    },
  },
  {
    component: 'ConfirmDialog',
    covers: true,
    states: {
      plain: () => <Confirm />,
      danger: () => <Confirm danger />,
      loading: () => <Confirm busy />,
      'long text': () => <Confirm text={long} />,
    },
  },
  {
    component: 'TransactionPasswordDialog',
    covers: true,
    states: {
      opened: () => (
        <Opened>
          {(layer) => (
            <TransactionPasswordDialog {...layer} onConfirm={async () => {}}>
              Pay $100.00
            </TransactionPasswordDialog>
          )}
        </Opened>
      ),
    },
  },
  {
    component: 'ToastProvider',
    and: ['Toast', 'WithAction'],
    covers: true,
    states: {
      plain: () => <Toast kind="plain" />,
      success: () => <Toast kind="success" />,
      failure: () => <Toast kind="failure" />,
      'long text': () => <Toast kind="plain" text={long} />,
      'with a button': () => <Undo />,
      'with a button and long text': () => <Undo text={long} />,
    },
  },
];
