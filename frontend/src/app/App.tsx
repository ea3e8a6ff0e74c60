import { HashRouter } from 'react-router-dom';
import { NavigationOutside } from '@/shared/navigation/navigation';
import { AppRoutes } from './router';

export function App() {
  return (
    <HashRouter>
      <NavigationOutside />
      <AppRoutes />
    </HashRouter>
  );
}
