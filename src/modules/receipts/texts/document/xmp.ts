/**
 * Declares in the metadata that the file is PDF/UA-1 as well as PDF/A-2a. pdfkit's own PDF/UA option excludes PDF/A and
 * writes a wrong CIDSet; PDF/A allows the additional declaration only when the file describes its schema.
 */
export function addIdentification(doc: PDFKit.PDFDocument): void {
  doc.appendXML(`
    <rdf:Description rdf:about="" xmlns:dc="http://purl.org/dc/elements/1.1/">
      <dc:language><rdf:Bag><rdf:li>pt-BR</rdf:li></rdf:Bag></dc:language>
    </rdf:Description>
    <rdf:Description rdf:about="" xmlns:pdfuaid="http://www.aiim.org/pdfua/ns/id/">
      <pdfuaid:part>1</pdfuaid:part>
    </rdf:Description>
    <rdf:Description rdf:about="" xmlns:pdfaExtension="http://www.aiim.org/pdfa/ns/extension/"
        xmlns:pdfaSchema="http://www.aiim.org/pdfa/ns/schema#" xmlns:pdfaProperty="http://www.aiim.org/pdfa/ns/property#">
      <pdfaExtension:schemas>
        <rdf:Bag>
          <rdf:li rdf:parseType="Resource">
            <pdfaSchema:namespaceURI>http://www.aiim.org/pdfua/ns/id/</pdfaSchema:namespaceURI>
            <pdfaSchema:prefix>pdfuaid</pdfaSchema:prefix>
            <pdfaSchema:schema>PDF/UA identification schema</pdfaSchema:schema>
            <pdfaSchema:property>
              <rdf:Seq>
                <rdf:li rdf:parseType="Resource">
                  <pdfaProperty:category>internal</pdfaProperty:category>
                  <pdfaProperty:description>Part of PDF/UA that the file conforms to</pdfaProperty:description>
                  <pdfaProperty:name>part</pdfaProperty:name>
                  <pdfaProperty:valueType>Integer</pdfaProperty:valueType>
                </rdf:li>
              </rdf:Seq>
            </pdfaSchema:property>
          </rdf:li>
        </rdf:Bag>
      </pdfaExtension:schemas>
    </rdf:Description>`);
}

/**
 * Removes characters that XML would need escaped, because pdfkit copies these texts unescaped; a name may be "A & B".
 */
export function metadataText(text: string): string {
  return text
    .replace(/\s*&\s*/g, ' e ')
    .replace(/[<>]/g, '')
    .trim();
}
