import './ui/base.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';

createRoot(document.getElementById('console')!).render(<StrictMode />);
